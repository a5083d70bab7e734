import { fundingThen, type PriceSource, priceThen } from './follow.ts'
import { listed } from './markets.ts'
import { now, num, type State, text } from './state.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const FUNDING_ROWS_MAX = 500
const CANDLES_MAX = 5_000
/** Prices of a candle between its open and its close. */
const INNER = 4
/** A trade has about this worth. */
const TRADE_USD = 4_000

const MS_OF: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS, M: 30 * DAY_MS }
const INTERVALS = new Set(['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '8h', '12h', '1d', '3d', '1w', '1M'])

interface HoursAsked {
  readonly coin: string
  /** From and to, in milliseconds. */
  readonly span: readonly [number, number]
}

/** Returns the rates of the full hours in a span, at most 500. Without a source the rate is the one of now. */
export function fundingHistory(state: State, { coin, span }: HoursAsked, source: PriceSource | undefined): unknown[] {
  const at = listed(state, { coin })
  if (at === null) return []
  const from = Math.ceil(span[0] / HOUR_MS)
  const to = Math.min(Math.floor(Math.min(span[1], now(state)) / HOUR_MS), from + FUNDING_ROWS_MAX - 1)
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => ({
    coin: at.coin,
    fundingRate: fundingThen(at.market, source, (from + index) * HOUR_MS),
    premium: '0.0',
    time: (from + index) * HOUR_MS + 20,
  }))
}

interface CandlesAsked {
  readonly coin: string
  readonly interval: string
  readonly startTime: number
  readonly endTime?: number | null | undefined
}

/**
 * Returns the candles of a span, oldest first; the last may be unfinished. Prices are those of the source, or the mark where
 * there is none; volumes are the share of the market's day. Null for an unknown market or interval.
 */
export function candlesOf(state: State, asked: CandlesAsked, source: PriceSource | undefined): unknown[] | null {
  const at = listed(state, { coin: asked.coin })
  const width = INTERVALS.has(asked.interval)
    ? Number.parseInt(asked.interval, 10) * (MS_OF[asked.interval.at(-1) ?? ''] ?? 0)
    : 0
  if (at === null || width === 0) return null
  const { market, coin } = at
  const until = Math.min(asked.endTime ?? now(state), now(state))
  const newest = Math.floor(until / width)
  const oldest = Math.max(Math.floor(asked.startTime / width), newest - CANDLES_MAX + 1)
  return Array.from({ length: Math.max(0, newest - oldest + 1) }, (_, index) => {
    const begin = (oldest + index) * width
    const length = Math.min(width, now(state) - begin)
    const prices = Array.from({ length: INNER + 2 }, (__, step) => {
      const time = begin + (length * step) / (INNER + 1)
      return priceThen(market, source, time) ?? market.mark
    })
    const sorted = prices.toSorted((a, b) => Number(a) - Number(b))
    const notional = num(market.volume).times(length).div(DAY_MS)
    return {
      t: begin,
      T: begin + width - 1,
      s: coin,
      i: asked.interval,
      o: prices[0],
      h: sorted.at(-1),
      l: sorted[0],
      c: prices.at(-1),
      v: text(notional.div(market.mark), market.sizeDecimals),
      n: Math.round(notional.toNumber() / TRADE_USD),
    }
  })
}
