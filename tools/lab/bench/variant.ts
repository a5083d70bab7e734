import type { LoadGenerator, LoadOptions } from './load.ts'
import { cpuSeconds } from './process-usage.ts'
import { median } from './statistics.ts'

/** A server under load, and the processes whose CPU counts. */
export interface Variant {
  readonly name: string
  readonly pids: readonly number[]
  readonly load: LoadOptions
  readonly expected?: number
  /** Runs before each round, outside the measurement. */
  readonly prepare?: () => Promise<void>
}

export interface Measured {
  /** Microseconds of CPU for one request, all processes together. */
  readonly cpu: number
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
}

/** Long enough for the compiler to optimise the hot functions of every process. */
const warmUpMs = 3_000

/**
 * Measures variants in rotation, so that a busy moment of the machine affects all of them. A first round warms up and
 * does not count. Returns medians by name.
 */
export async function measure(
  generator: LoadGenerator,
  variants: readonly Variant[],
  rounds: number,
): Promise<ReadonlyMap<string, Measured>> {
  const all = new Map(
    variants.map(({ name }) => [name, { cpu: [] as number[], perSecond: [] as number[], p50: [] as number[] }]),
  )
  for (let round = -1; round < rounds; round++) {
    for (const { name, pids, load, expected, prepare } of variants) {
      await prepare?.()
      if (round < 0) {
        await generator.run({ ...load, durationMs: warmUpMs }, expected)
        continue
      }
      const before = cpuSeconds(pids)
      const { done, seconds, p50 } = await generator.run(load, expected)
      const cpu = ((cpuSeconds(pids) - before) / done) * 1e6
      all.get(name)?.cpu.push(cpu)
      all.get(name)?.perSecond.push(done / seconds)
      all.get(name)?.p50.push(p50)
    }
  }
  return new Map(
    [...all].map(([name, { cpu, perSecond, p50 }]) => [
      name,
      { cpu: median(cpu), perSecond: median(perSecond), p50: median(p50) },
    ]),
  )
}
