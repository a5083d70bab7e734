import { z } from 'zod'

/**
 * A fault for the next `count` requests that it fits. `refuse` and the statuses come before admission; `drop` lets the
 * action happen and closes the connection without an answer.
 */
export const faultSchema = z.strictObject({
  kind: z.enum([
    'status429',
    'status500',
    'html502',
    'hang',
    'delay',
    'refuse',
    'drop',
    'stale',
    'missing-dex',
    'truncated',
    'wrong-type',
    'oversized',
    'stale-sz',
    'empty',
  ]),
  endpoint: z.enum(['info', 'exchange']),
  /** Only requests of this type (of a question or an action). */
  type: z.string().optional(),
  dex: z.string().optional(),
  count: z.int().min(1).max(100_000).default(1),
  /** Of `delay`: how long; of `stale`: how old the times in the answer are made. */
  ms: z.int().min(0).max(86_400_000).default(0),
  /** Of `refuse`: the venue's words. */
  text: z.string().default('Only post-only orders allowed immediately after network upgrade'),
})
export type Fault = z.output<typeof faultSchema>

/** Faults that wait for requests, oldest first. */
export class FaultBoard {
  readonly #waiting: Fault[] = []

  add(fault: Fault): void {
    this.#waiting.push({ ...fault })
  }

  clear(): void {
    this.#waiting.length = 0
  }

  /** Returns the fault that fits a request and counts it down; null if none does. */
  take(endpoint: Fault['endpoint'], type: string, dex: string): Fault | null {
    const index = this.#waiting.findIndex(
      (one) =>
        one.endpoint === endpoint &&
        (one.type === undefined || one.type === type) &&
        (one.dex === undefined || one.dex === dex),
    )
    const fault = this.#waiting[index]
    if (fault === undefined) return null
    fault.count -= 1
    if (fault.count === 0) this.#waiting.splice(index, 1)
    return fault
  }
}

/** More than any client of the venue takes. */
const OVERSIZED_BYTES = 9 * 1024 * 1024

/**
 * Changes the answer as a fault says: old times, numbers for decimal text, half of the text, blanks without end, no rows, or orders
 * whose `sz` stays at its first value whatever they executed.
 */
export function spoil(answer: unknown, fault: Fault): string {
  const whole = JSON.stringify(answer)
  if (fault.kind === 'truncated') return whole.slice(0, Math.floor(whole.length / 2))
  if (fault.kind === 'oversized') return whole + ' '.repeat(OVERSIZED_BYTES)
  if (fault.kind === 'stale')
    return JSON.stringify(
      mapMembers(answer, (key, value) => (key === 'time' && typeof value === 'number' ? value - fault.ms : value)),
    )
  if (fault.kind === 'empty') return '[]'
  if (fault.kind === 'stale-sz') return JSON.stringify(withFirstSize(answer))
  if (fault.kind === 'wrong-type')
    return JSON.stringify(
      mapMembers(answer, (_, value) =>
        typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value,
      ),
    )
  return whole
}

function mapMembers(value: unknown, change: (key: string, value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => mapMembers(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(key, mapMembers(one, change))]))
}

function withFirstSize(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withFirstSize)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, one]): [string, unknown] => [key, withFirstSize(one)])
  const size: unknown = Reflect.get(value, 'origSz')
  return Object.fromEntries(members.map(([key, one]) => [key, key === 'sz' && size !== undefined ? size : one]))
}
