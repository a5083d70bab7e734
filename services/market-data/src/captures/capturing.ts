import type { BookSample } from './rules/microburst.ts'
import type { tradeTape } from './rules/trade-tape.ts'

/** A running capture of this process; it is lost if the process ends. */
export interface RunningCapture {
  readonly instanceId: number
  readonly exchange: string
  readonly symbol: string
  /** Dollars per unit of the quote currency. */
  readonly usd: number
  readonly startedAt: Date
  readonly tape: ReturnType<typeof tradeTape>
  readonly books: BookSample[]
}

/** Running captures of this process; `nextLookAt` is when candidates are read next, milliseconds. */
export interface Capturing {
  readonly running: Map<number, RunningCapture>
  nextLookAt: number
}

export const capturing = (): Capturing => ({ running: new Map(), nextLookAt: 0 })
