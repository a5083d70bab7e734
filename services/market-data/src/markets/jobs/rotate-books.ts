import { marketData } from '@svc/contracts/market-data'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { acceptBook } from '../keep-book.ts'
import type { VenueAdapter } from '#venues/rules/venue.ts'
import type { TradingInstance } from '#listings/store/tokens.ts'
import type { VenueState } from '../market-state.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'clock' | 'led' | 'market' | 'errors'>

/** The book of every pair is read once in this time, as far as the venue's budget allows. */
const ROUND_MS = 300_000
/** Least pause between two ticks. */
const PAUSE_MS = 1_000
const PARALLEL = 8
const BATCH_MAX = marketData.jobs.rotateBooks.max
/** Time for which the rotation leaves a due pair to its deeper book, which is as good. */
const DEEPER_MS = 60_000

/** Reads the books that are due, those that have waited longest first. */
export const rotateBooks =
  (context: Parts): Job =>
  async (signal) => {
    const now = context.clock.now().getTime()
    const done = await Promise.all(
      [...context.led.values()].map(({ adapter }) => rotateVenue(context, adapter, now, signal)),
    )
    const next = [...context.led.keys()].map((exchange) => nextTry(context.market.of(exchange)))
    return {
      done: done.reduce((sum, one) => sum + one, 0),
      nextAt: new Date(Math.max(now + PAUSE_MS, Math.min(now + ROUND_MS, ...next))),
    }
  }

/** Returns when the next book of a venue is due, or when the venue may be called again; infinite without a pair. */
function nextTry({ instances, askedAt, nextRotateAt }: VenueState): number {
  const due = [...instances.values()].map((one) => (askedAt.get(one.instance_id) ?? 0) + ROUND_MS)
  return Math.max(
    nextRotateAt,
    due.reduce((first, at) => Math.min(first, at), Infinity),
  )
}

async function rotateVenue(context: Parts, adapter: VenueAdapter, now: number, signal: AbortSignal): Promise<number> {
  const state = context.market.of(adapter.exchange)
  if (state.nextRotateAt > now) return 0
  const due = dueInstances(state, now)
  const calls: TradingInstance[][] = []
  for (let start = 0; start < due.length; start += adapter.booksPerCall)
    calls.push(due.slice(start, start + adapter.booksPerCall))
  let read = 0
  const worker = async () => {
    for (let call = calls.shift(); call !== undefined && !signal.aborted; call = calls.shift()) {
      for (const one of call) state.askedAt.set(one.instance_id, now)
      try {
        const books = await adapter.books(
          call.map((one) => one.symbol),
          { priority: 'rotation', signal },
        )
        for (const book of books) read += acceptBook(context, adapter, book) ? 1 : 0
      } catch (error) {
        const failure = context.errors.count(error)
        // Without an allowance the book is still due. If the budget is closed, the other calls would fail too.
        if (failure.kind === 'budget') for (const one of call) state.askedAt.delete(one.instance_id)
        if (failure.retryMs > 0) {
          state.nextRotateAt = now + failure.retryMs
          calls.length = 0
        }
      }
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
  return read
}

/** Returns the pairs whose book is due: those never read, then those read longest ago. */
function dueInstances({ instances, askedAt, deeper }: VenueState, now: number): TradingInstance[] {
  const dueAt = ({ instance_id: id }: TradingInstance) => {
    const deeperSoon = deeper.get(id)?.newest ? DEEPER_MS : 0
    return (askedAt.get(id) ?? -ROUND_MS) + ROUND_MS + deeperSoon
  }
  const due = [...instances.values()].filter((one) => dueAt(one) <= now)
  due.sort((a, b) => (askedAt.get(a.instance_id) ?? 0) - (askedAt.get(b.instance_id) ?? 0))
  return due.slice(0, BATCH_MAX)
}
