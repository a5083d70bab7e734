import { setTimeout as delay } from 'node:timers/promises'

/**
 * Long enough for a machine that is short of cores: a liveness that fails is told at the end, and one that holds waits no
 * longer than it must. A promised time is named by the test.
 */
const LIVENESS_MS = 45_000

/** Pauses without `everyMs`: a tenth of the time that has passed, within these bounds. A long wait costs few attempts. */
const PAUSE_MS = { least: 20, most: 250 }

interface Patience {
  readonly timeoutMs?: number
  /** Pause between two attempts. */
  readonly everyMs?: number
  /**
   * Time that the product promises. It is counted in attempts, `promisedMs / everyMs` of them: a machine that is short of
   * cores slows the attempts down as it slows the product down.
   */
  readonly promisedMs?: number
}

/**
 * Repeats `probe` until it neither throws nor returns `false`, and resolves with its result.
 * Rejects with the last failure after the promised attempts, or at the time limit (default 45 s).
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  { timeoutMs = LIVENESS_MS, everyMs, promisedMs }: Patience = {},
): Promise<T> {
  const began = Date.now()
  const deadline = began + timeoutMs
  const steadyMs = everyMs ?? (promisedMs === undefined ? null : PAUSE_MS.least)
  const triesMax = promisedMs === undefined ? Infinity : Math.ceil(promisedMs / (steadyMs ?? PAUSE_MS.least))
  for (let tries = 1; ; tries += 1) {
    const isLast = () => tries >= triesMax || Date.now() >= deadline
    try {
      const value = await probe()
      if (value !== false) return value
      if (isLast()) throw new Error(`still false after ${tries} attempts`)
    } catch (error) {
      if (isLast()) throw error
    }
    await delay(steadyMs ?? Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, (Date.now() - began) / 10)))
  }
}
