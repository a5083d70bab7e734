import type { Context } from '#context.ts'
import type { VenueState } from './market-state.ts'
import { isCrossed, measureBook } from './rules/book.ts'
import { afterBook, newDepth } from './rules/deeper-books.ts'
import type { Book, VenueAdapter } from '#venues/rules/venue.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'clock' | 'market' | 'errors'>

/** A book older than this by the venue's own clock is not measured. */
const BOOK_AGE_MAX_MS = 60_000

/** A book that may be measured, and what it belongs to. */
export interface SeenBook {
  readonly instanceId: number
  readonly book: Book
  /** Dollars per unit of the quote currency; null if unknown. */
  readonly usd: number | null
  /** Whether it is a deeper book. */
  readonly deeper: boolean
  /** The service's clock, milliseconds. */
  readonly now: number
}

/**
 * Measures a book for the next observation, and notes whether the pair needs deeper books. A usual book that ends inside
 * the band does not replace the depth of a deeper book.
 */
export function keepBook(
  state: VenueState,
  { bookLevels, deeperLevels }: Pick<VenueAdapter, 'bookLevels' | 'deeperLevels'>,
  { instanceId, book, usd, deeper, now }: SeenBook,
): void {
  const { spreadBps, bands, depthQuote, truncated, levels } = measureBook(book)
  const before = state.deeper.get(instanceId) ?? null
  const after = deeperLevels.length === 0 ? null : afterBook(before, { truncated, levels }, bookLevels)
  if (after === null) state.deeper.delete(instanceId)
  else state.deeper.set(instanceId, !deeper || bands === null ? after : { ...after, newest: { at: now, bands } })
  if (!deeper && bands !== null && newDepth(bands[3], before, now) === null) {
    const { depthUsd = null, truncated: wasCut = false } = state.books.get(instanceId) ?? {}
    state.books.set(instanceId, { spreadBps, depthUsd, truncated: wasCut })
    return
  }
  state.books.set(instanceId, { spreadBps, depthUsd: usd === null ? null : depthQuote * usd, truncated })
}

/** Keeps a book for the next observation. Returns false if it cannot be measured. */
export function acceptBook(
  { market, errors, clock }: Parts,
  adapter: VenueAdapter,
  book: Book,
  deeper = false,
): boolean {
  const { exchange } = adapter
  const state = market.of(exchange)
  const instance = state.instances.get(book.symbol)
  state.booksSynthetic = book.synthetic
  const empty = book.bids.length === 0 && book.asks.length === 0
  if (instance === undefined || empty) return false
  const late =
    book.at !== null &&
    book.venueTime !== null &&
    state.venueTime !== null &&
    book.at < state.venueTime - BOOK_AGE_MAX_MS
  if (late || isCrossed(book)) {
    errors.add(exchange, late ? 'stale' : 'bad_answer')
    return false
  }
  const usd = market.usdRate(exchange, instance.quote)
  keepBook(state, adapter, { instanceId: instance.instance_id, book, usd, deeper, now: clock.now().getTime() })
  return true
}
