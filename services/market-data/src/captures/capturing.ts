import type { BookSample } from './rules/microburst.ts'
import type { tradeTape } from './rules/trade-tape.ts'

/** A capture under way in this process; it ends with the process. */
export interface RunningCapture {
  readonly instanceId: number
  readonly exchange: string
  readonly symbol: string
  /** Dollars for the quote currency. */
  readonly usd: number
  readonly startedAt: Date
  readonly tape: ReturnType<typeof tradeTape>
  readonly books: BookSample[]
}

/** Captures of this process, and when candidates are looked for next, milliseconds. */
export interface Capturing {
  readonly running: Map<number, RunningCapture>
  nextLookAt: number
}

export const capturing = (): Capturing => ({ running: new Map(), nextLookAt: 0 })
