import { isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import type { Position } from '@svc/venue/rules/reading'
import { readBook, type Book } from '#venue/read-prices.ts'
import { readMarket, type VenueMarket } from '#venue/store/markets.ts'
import type { Quote } from './rules/plan-closes.ts'
import { within } from './wait.ts'

/** A close waits no longer for a book: the mark price serves without one. */
const BOOK_MS_MAX = 500

/** Prices by the venue's name of a market, with the market. */
export type Quotes = ReadonlyMap<string, Quote & { readonly market: VenueMarket }>

/** Markets with their books by the venue's name; the book is null if it could not be read. */
export type Books = ReadonlyMap<string, { readonly market: VenueMarket; readonly book: Book | null }>

/**
 * Returns prices of the markets of positions. The mark is the one that the venue values the position at; a book that
 * cannot be read counts as empty, because a close waits for no book. Books that were `read` a moment ago are not read again.
 */
export async function readQuotes(context: Context, positions: readonly Position[], read: Books): Promise<Quotes> {
  const marks = new Map(positions.map(({ coin, markPrice }) => [coin, markPrice]))
  const unread = [...marks.keys()].filter((coin) => !read.has(coin))
  const books = new Map([...read, ...(await readBooks(context, unread))])
  return new Map(
    [...marks].flatMap(([coin, mark]) => {
      const known = books.get(coin)
      if (known === undefined) return []
      const { market, book } = known
      const [bid, ask] = [book?.bids[0]?.px ?? null, book?.asks[0]?.px ?? null]
      return [[coin, { market, bid, ask, mark, sizeDecimals: market.sizeDecimals }] as const]
    }),
  )
}

/** Reads the books of markets, each once; a market that was never read is left out. */
export async function readBooks(context: Context, coins: readonly string[]): Promise<Books> {
  const { pool, venue } = context
  const books = await Promise.all(
    [...new Set(coins)].map(async (coin) => {
      const [market, book] = await Promise.all([readMarket(pool, venue.network, coin), bookOf(context, coin)])
      return market === null ? [] : [[coin, { market, book }] as const]
    }),
  )
  return new Map(books.flat())
}

async function bookOf(context: Context, coin: string): Promise<Book | null> {
  try {
    return await within(BOOK_MS_MAX, 'the book', readBook(context, 'closes', coin))
  } catch (error) {
    if (isOutage(error)) return null
    throw error
  }
}
