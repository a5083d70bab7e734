import { MINUTE, type Candle, type Feed, type Market } from './feed.ts'
import { minutePath, type Trade } from './minute-path.ts'

/** A candle of one or more minutes. */
export interface TimedCandle extends Omit<Candle, 'burst'> {
  /** Begin, in milliseconds since the epoch. */
  readonly at: number
}

const LOOKBACK_MINUTES = 240
const CANDLES_MAX = 1_500

/** Returns the price of the last fill at or before `at`; null without a fill. */
export function priceAt(feed: Feed, market: Market, at: number): number | null {
  const minute = Math.floor((at - 1) / MINUTE)
  const candle = feed.candle(market, minute)
  if (candle === null) return null
  if (candle.trades === 0) return candle.close
  const path = minutePath(candle, minute, market)
  const done = path.countAt(at - minute * MINUTE)
  if (done > 0) return path.trade(done - 1).price
  return feed.candle(market, minute - 1)?.close ?? candle.open
}

/** Returns the newest `limit` fills with `from ≤ at ≤ to`, oldest first. */
export function tradesOf(feed: Feed, market: Market, limit: number, from: number, to: number): Trade[] {
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

/** The requested candles. Times in milliseconds since the epoch. */
export interface CandleSpan {
  /** Minutes of one candle. */
  readonly minutes: number
  readonly limit: number
  /** Bounds of the begin of a candle, both inclusive. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Returns candles, oldest first: the newest `limit` of the span, or the oldest if `from` is given. */
export function candlesOf(
  feed: Feed,
  market: Market,
  { minutes, limit, from, to }: CandleSpan,
  now: number,
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

/** Returns the candle up to `now`; it is complete after its minute. */
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
