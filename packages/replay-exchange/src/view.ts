import { makeBook, type Book } from './book.ts'
import type { ReplayClock } from './clock.ts'
import type { FaultBoard } from './faults.ts'
import { MINUTE, type Candle, type Feed, type Listing, type Market } from './feed.ts'
import { minutePath, type Trade } from './minute-path.ts'

/** Everything that a venue's 24-hour ticker tells. */
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

/** A candle of one or more minutes. */
export interface TimedCandle extends Omit<Candle, 'burst'> {
  /** Begin, in milliseconds since the epoch. */
  readonly at: number
}

/** What one venue knows now. */
export interface VenueView {
  readonly venue: string
  /** The venue's clock, milliseconds since the epoch. */
  readonly now: () => number
  readonly feed: Feed
  readonly listings: () => readonly Listing[]
  /** The market of a symbol in the venue's own form. */
  readonly find: (wireSymbol: string) => Listing | null
  readonly wireSymbol: (market: Market) => string
  /** Null where there is no price. */
  readonly ticker: (listing: Listing) => Ticker | null
  readonly book: (listing: Listing, limit: number) => Book
  /** The newest `limit` fills with `from ≤ at ≤ to`, oldest first; looks back at most `LOOKBACK_MINUTES`. */
  readonly trades: (listing: Listing, limit: number, from?: number, to?: number) => Trade[]
  /** Candles that begin in `[from, to]`, oldest first: the newest `limit`, or the oldest when `from` is given. */
  readonly candles: (listing: Listing, minutes: number, limit: number, from?: number, to?: number) => TimedCandle[]
}

const LOOKBACK_MINUTES = 240
const CANDLES_MAX = 1_500

interface ViewOptions {
  readonly venue: string
  readonly feed: Feed
  readonly clock: ReplayClock
  readonly faults: FaultBoard
  readonly wireSymbol: (market: Market) => string
}

export function createView({ venue, feed, clock, faults, wireSymbol }: ViewOptions): VenueView {
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
    return makeBook(market, mid, feed.liquidity(market, time), time, limit, faults.of(venue).crossedBooks === true)
  }
  const bookTime = () => at() - (faults.of(venue).staleBooksMs ?? 0)
  return {
    venue,
    feed,
    wireSymbol,
    now: () => at() + (faults.of(venue).clockSkewMs ?? 0),
    listings: () => {
      const { listings } = current()
      const share = faults.of(venue).listedShare
      return share === undefined ? listings : listings.slice(0, Math.floor(listings.length * share))
    },
    find: (symbol) => current().bySymbol.get(symbol) ?? null,
    book: (listing, limit) => {
      const book = bookAt(listing, bookTime(), limit)
      return { ...book, at: book.at + (faults.of(venue).clockSkewMs ?? 0) }
    },
    ticker: (listing) => {
      const { market } = listing
      const last = priceAt(feed, market, at())
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
        bid: bids[0]?.[0] ?? 0,
        bidAmount: bids[0]?.[1] ?? 0,
        ask: asks[0]?.[0] ?? 0,
        askAmount: asks[0]?.[1] ?? 0,
      }
    },
    trades: ({ market }, limit, from = 0, to = Number.MAX_SAFE_INTEGER) =>
      tradesOf(feed, market, limit, from, Math.min(to, at())),
    candles: ({ market }, minutes, limit, from, to) => candlesOf(feed, market, minutes, limit, at(), from, to),
  }
}

function onTick({ priceDecimals }: Market, price: number): number {
  return Number(price.toFixed(priceDecimals))
}

/** Price of the last fill at or before `at`; null where there is none. */
function priceAt(feed: Feed, market: Market, at: number): number | null {
  const minute = Math.floor((at - 1) / MINUTE)
  const candle = feed.candle(market, minute)
  if (candle === null) return null
  if (candle.trades === 0) return candle.close
  const path = minutePath(candle, minute, market)
  const done = path.countAt(at - minute * MINUTE)
  if (done > 0) return path.trade(done - 1).price
  return feed.candle(market, minute - 1)?.close ?? candle.open
}

function tradesOf(feed: Feed, market: Market, limit: number, from: number, to: number): Trade[] {
  const newestFirst: Trade[] = []
  const last = Math.floor(to / MINUTE)
  for (let minute = last; minute > last - LOOKBACK_MINUTES && (minute + 1) * MINUTE > from; minute -= 1) {
    const candle = feed.candle(market, minute)
    if (candle === null || candle.trades === 0) continue
    const path = minutePath(candle, minute, market)
    for (let index = path.countAt(to - minute * MINUTE) - 1; index >= 0; index -= 1) {
      const trade = path.trade(index)
      if (trade.at < from) break
      newestFirst.push(trade)
      if (newestFirst.length >= limit) return newestFirst.reverse()
    }
  }
  return newestFirst.reverse()
}

function candlesOf(
  feed: Feed,
  market: Market,
  minutes: number,
  limit: number,
  now: number,
  from: number | undefined,
  to: number | undefined,
): TimedCandle[] {
  const width = minutes * MINUTE
  const count = Math.min(limit, CANDLES_MAX)
  const newest = Math.floor(Math.min(to ?? now, now) / width)
  const oldest = from === undefined ? newest - count + 1 : Math.ceil(from / width)
  const candles: TimedCandle[] = []
  for (let index = Math.max(0, oldest); index <= newest && candles.length < count; index += 1) {
    const candle = combined(feed, market, index * minutes, minutes, now)
    if (candle !== null) candles.push({ at: index * width, ...candle })
  }
  return candles
}

function combined(
  feed: Feed,
  market: Market,
  first: number,
  minutes: number,
  now: number,
): Omit<TimedCandle, 'at'> | null {
  let sum: Omit<TimedCandle, 'at'> | null = null
  for (let minute = first; minute < first + minutes && minute * MINUTE <= now; minute += 1) {
    const candle = soFar(feed, market, minute, now)
    if (candle === null) continue
    const { burst: _, ...own } = candle
    sum =
      sum === null
        ? own
        : {
            open: sum.open,
            high: Math.max(sum.high, own.high),
            low: Math.min(sum.low, own.low),
            close: own.close,
            volume: sum.volume + own.volume,
            quoteVolume: sum.quoteVolume + own.quoteVolume,
            trades: sum.trades + own.trades,
            takerBuyQuote: sum.takerBuyQuote + own.takerBuyQuote,
          }
  }
  return sum
}

/** The candle as far as it has come: whole once its minute is over. */
function soFar(feed: Feed, market: Market, minute: number, now: number): Candle | null {
  const candle = feed.candle(market, minute)
  if (candle === null || now >= (minute + 1) * MINUTE || candle.trades === 0) return candle
  const path = minutePath(candle, minute, market)
  const done = path.countAt(now - minute * MINUTE)
  const before = feed.candle(market, minute - 1)?.close ?? candle.open
  if (done === 0) return { ...candle, open: before, high: before, low: before, close: before, ...nothing }
  const close = path.trade(done - 1).price
  const share = done / path.count
  return {
    ...candle,
    high: Math.max(candle.open, close),
    low: Math.min(candle.open, close),
    close,
    volume: candle.volume * share,
    quoteVolume: candle.quoteVolume * share,
    takerBuyQuote: candle.takerBuyQuote * share,
    trades: done,
  }
}

const nothing = { volume: 0, quoteVolume: 0, takerBuyQuote: 0, trades: 0 }
