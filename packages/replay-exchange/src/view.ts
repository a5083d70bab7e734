import { makeBook, type Book } from './book.ts'
import type { ReplayClock } from './clock.ts'
import type { FaultBoard } from './faults.ts'
import { MINUTE, type Candle, type DayStats, type Feed, type Listing, type Market } from './feed.ts'
import { candlesOf, priceAt, tradesOf, type CandleSpan, type TimedCandle } from './history.ts'
import type { Trade } from './minute-path.ts'

/** Content of a venue's 24-hour ticker. */
export interface Ticker {
  readonly listing: Listing
  readonly last: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly volume: number
  readonly quoteVolume: number
  readonly trades: number
  readonly bid: number
  readonly bidAmount: number
  readonly ask: number
  readonly askAmount: number
}

/** Current data of one venue. */
export interface VenueView {
  readonly venue: string
  /** The venue's clock, milliseconds since the epoch. */
  readonly now: () => number
  readonly feed: Feed
  readonly listings: () => readonly Listing[]
  /** Whether the venue closes the wallets of all currencies. */
  readonly walletsClosed: () => boolean
  /** The market of a symbol in the venue's own form. */
  readonly find: (wireSymbol: string) => Listing | null
  readonly wireSymbol: (market: Market) => string
  /** Null without a price. */
  readonly ticker: (listing: Listing) => Ticker | null
  readonly book: (listing: Listing, limit: number) => Book
  /** The newest `limit` fills with `from ≤ at ≤ to`, oldest first; looks back four hours at most. */
  readonly trades: (listing: Listing, limit: number, from?: number, to?: number) => Trade[]
  /** Candles of a span, oldest first; see `candlesOf`. */
  readonly candles: (listing: Listing, span: CandleSpan) => TimedCandle[]
}

interface ViewOptions {
  readonly venue: string
  readonly feed: Feed
  readonly clock: ReplayClock
  readonly faults: FaultBoard
  readonly wireSymbol: (market: Market) => string
}

/** Caches the last requested candles and sums of each market, which tickers and books share. */
function remembering(feed: Feed): Feed {
  const candles = new Map<number, (readonly [minute: number, candle: Candle | null])[]>()
  const days = new Map<number, readonly [minute: number, day: DayStats | null]>()
  return {
    ...feed,
    candle: (market, minute) => {
      const known = candles.get(market.key) ?? []
      const found = known.find(([at]) => at === minute)
      if (found !== undefined) return found[1]
      const candle = feed.candle(market, minute)
      candles.set(market.key, [[minute, candle], ...known.slice(0, 1)])
      return candle
    },
    day: (market, minute) => {
      const known = days.get(market.key)
      if (known?.[0] === minute) return known[1]
      const day = feed.day(market, minute)
      days.set(market.key, [minute, day])
      return day
    },
  }
}

export function createView({ venue, feed: source, clock, faults, wireSymbol }: ViewOptions): VenueView {
  const feed = remembering(source)
  let index: { minute: number; listings: readonly Listing[]; bySymbol: Map<string, Listing> } | null = null
  const at = () => clock.now()
  const current = () => {
    const minute = Math.floor(at() / MINUTE)
    if (index?.minute !== minute) {
      const listings = feed.listings(venue, at())
      index = { minute, listings, bySymbol: new Map(listings.map((one) => [wireSymbol(one.market), one])) }
    }
    return index
  }
  const bookAt = (listing: Listing, time: number, limit: number): Book => {
    const { market } = listing
    const mid = listing.status === 'ended' ? null : priceAt(feed, market, time)
    if (mid === null) return { bids: [], asks: [], at: time, sequence: Math.floor(time / 100) }
    const crossed = faults.of(venue).crossedBooks === true
    return makeBook(market, { ...feed.liquidity(market, time), mid, at: time, limit, crossed })
  }
  const bookTime = () => at() - (faults.of(venue).staleBooksMs ?? 0)
  return {
    venue,
    feed: source,
    wireSymbol,
    now: () => at() + (faults.of(venue).clockSkewMs ?? 0),
    listings: () => {
      const { listings } = current()
      const share = faults.of(venue).listedShare
      return share === undefined ? listings : listings.slice(0, Math.floor(listings.length * share))
    },
    walletsClosed: () => faults.of(venue).walletsClosed === true,
    find: (symbol) => current().bySymbol.get(symbol) ?? null,
    book: (listing, limit) => {
      const book = bookAt(listing, bookTime(), limit)
      const { clockSkewMs = 0, paddedBooks } = faults.of(venue)
      const { base, quote } = listing.market
      const padded = (side: Book['bids']) =>
        paddedBooks?.symbol === `${base}/${quote}`
          ? side.map((one, place) => (place < paddedBooks.levels ? one : ([0, 0] as const)))
          : side
      return { ...book, bids: padded(book.bids), asks: padded(book.asks), at: book.at + clockSkewMs }
    },
    ticker: (listing) => {
      const { market } = listing
      const { oddPrice } = faults.of(venue)
      const factor = oddPrice?.symbol === `${market.base}/${market.quote}` ? oddPrice.factor : 1
      const price = priceAt(feed, market, at())
      const last = price === null ? null : price * factor
      const day = feed.day(market, Math.floor(at() / MINUTE))
      if (last === null || day === null) return null
      const { bids, asks } = bookAt(listing, bookTime(), 1)
      return {
        ...day,
        listing,
        last,
        open: onTick(market, day.open),
        high: onTick(market, Math.max(day.high, last)),
        low: onTick(market, Math.min(day.low, last)),
        bid: (bids[0]?.[0] ?? 0) * factor,
        bidAmount: bids[0]?.[1] ?? 0,
        ask: (asks[0]?.[0] ?? 0) * factor,
        askAmount: asks[0]?.[1] ?? 0,
      }
    },
    trades: ({ market }, limit, from = 0, to = Number.MAX_SAFE_INTEGER) =>
      tradesOf(source, market, limit, from, Math.min(to, at())),
    candles: ({ market }, span) => candlesOf(source, market, span, at()),
  }
}

function onTick({ priceDecimals }: Market, price: number): number {
  return Number(price.toFixed(priceDecimals))
}
