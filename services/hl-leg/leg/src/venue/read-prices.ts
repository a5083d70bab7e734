import type { AnswerTo } from '@svc/hyperliquid'
import { Outage } from '@svc/service'
import type { Context } from '#context.ts'
import { freshDexes, refreshMarkets } from './read-markets.ts'
import { dexOf } from '@svc/venue/rules/market-id'
import { isNearMark, middleOf } from '@svc/venue/rules/prices'
import type { WeightClass } from '@svc/venue/rules/weights'
import { readMarket, type VenueMarket } from './store/markets.ts'

type Reader = Pick<Context, 'venue' | 'pool' | 'clock' | 'settings'>
type Level = { readonly px: string; readonly sz: string }

/** A book at one time, best offers first. `middle` is null unless both sides have an offer. */
export interface Book {
  readonly coin: string
  readonly at: Date
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
  readonly middle: string | null
}

/** Prices of a market: the mark the venue values positions at, and the middle of the book. */
export interface VenuePrice {
  readonly market: VenueMarket
  readonly book: Book
  /** Middle of the book; null with an empty side, or if it is further from the mark than the band of orders. */
  readonly middle: string | null
}

/** Maximum age of a mark that orders are compared with. */
const MARK_MAX_AGE_MS = 15_000

/**
 * Reads the book of a market. Rejects with an outage if the venue does not know the market, or if the book is older
 * than readings may be.
 */
export async function readBook({ venue, clock, settings }: Reader, by: WeightClass, coin: string): Promise<Book> {
  const book: AnswerTo<'l2Book'> = await venue.ask(by, 'l2Book', { coin })
  if (book === null || book.coin !== coin) throw new Outage('venue', 'the venue has no book of this market')
  const ageMs = clock.now().getTime() - book.time
  if (ageMs > settings.readingMaxAgeSec * 1000) throw new Outage('venue', 'the book of this market is too old')
  const [bids, asks] = book.levels
  return { coin, at: new Date(book.time), bids, asks, middle: middleOf(bids[0]?.px ?? null, asks[0]?.px ?? null) }
}

/** Returns a market with a mark that is at most 15 s old; null if its dex is not read or does not have it. */
export async function freshMarket(context: Reader, by: WeightClass, coin: string): Promise<VenueMarket | null> {
  const { pool, venue, clock, settings } = context
  if (!settings.dexes.includes(dexOf(coin))) return null
  const stored = await readMarket(pool, venue.network, coin)
  if (stored !== null && clock.now().getTime() - stored.readAt.getTime() <= MARK_MAX_AGE_MS) return stored
  const dex = (await freshDexes(context, by)).find(({ name }) => name === dexOf(coin))
  if (dex === undefined) return null
  return (await refreshMarkets(context, by, dex)).find((market) => market.coin === coin) ?? null
}

/** Reads mark and book of markets; a market that the venue does not have is left out. */
export async function readVenuePrices(
  context: Reader,
  by: WeightClass,
  coins: readonly string[],
): Promise<ReadonlyMap<string, VenuePrice>> {
  const prices = new Map<string, VenuePrice>()
  for (const coin of new Set(coins)) {
    const market = await freshMarket(context, by, coin)
    if (market === null) continue
    const book = await readBook(context, by, coin)
    const { middle } = book
    const isTrusted = middle !== null && isNearMark(middle, market.mark, context.settings.slippagePct)
    prices.set(coin, { market, book, middle: isTrusted ? middle : null })
  }
  return prices
}
