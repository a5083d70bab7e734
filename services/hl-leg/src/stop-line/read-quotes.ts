import { isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import type { Position } from '#venue/rules/reading.ts'
import { readBook } from '#venue/read-prices.ts'
import { readMarket, type VenueMarket } from '#venue/store/markets.ts'
import type { Quote } from './rules/plan-closes.ts'
import { within } from './wait.ts'

/** A close waits no longer for a book: the mark price serves without one. */
const BOOK_MS_MAX = 500

/** Prices by the venue's name of a market, with the market. */
export type Quotes = ReadonlyMap<string, Quote & { readonly market: VenueMarket }>

/**
 * Returns prices of the markets of positions, each market read once. The mark is the one that the venue values the
 * position at; a book that cannot be read counts as empty, because a close waits for no book.
 */
export async function readQuotes(context: Context, positions: readonly Position[]): Promise<Quotes> {
  const marks = new Map(positions.map(({ coin, markPrice }) => [coin, markPrice]))
  const quotes = await Promise.all([...marks].map(([coin, mark]) => quoteOf(context, coin, mark)))
  return new Map(quotes.flatMap((quote) => (quote === null ? [] : [[quote.market.coin, quote] as const])))
}

async function quoteOf(context: Context, coin: string, mark: string) {
  const { pool, venue } = context
  const market = await readMarket(pool, venue.network, coin)
  if (market === null) return null
  const book = await within(BOOK_MS_MAX, 'the book', readBook(context, 'closes', coin)).catch((error: unknown) => {
    if (isOutage(error)) return null
    throw error
  })
  const [bid, ask] = [book?.bids[0]?.px ?? null, book?.asks[0]?.px ?? null]
  return { market, bid, ask, mark, sizeDecimals: market.sizeDecimals }
}
