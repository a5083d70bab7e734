import { MINUTE, type Candle, type Market } from '../feed.ts'

/** Consecutive minutes of one market in typed arrays: 32 bytes a minute. Prices are whole ticks. */
export interface Series {
  readonly market: Market
  readonly firstMinute: number
  readonly minutes: number
  readonly open: Int32Array
  readonly high: Int32Array
  readonly low: Int32Array
  readonly close: Int32Array
  readonly volume: Float32Array
  readonly quoteVolume: Float32Array
  readonly takerBuyQuote: Float32Array
  readonly trades: Int32Array
}

/** Empty columns for `minutes` minutes. */
export function emptySeries(market: Market, firstMinute: number, minutes: number): Series {
  return {
    market,
    firstMinute,
    minutes,
    open: new Int32Array(minutes),
    high: new Int32Array(minutes),
    low: new Int32Array(minutes),
    close: new Int32Array(minutes),
    volume: new Float32Array(minutes),
    quoteVolume: new Float32Array(minutes),
    takerBuyQuote: new Float32Array(minutes),
    trades: new Int32Array(minutes),
  }
}

/** A bar of a recording whose fills were not counted. */
export interface Bar {
  readonly at: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** In base. */
  readonly volume: number
  /** Fills; null where the recording has no count: then one for each `FILL_QUOTE` of notional. */
  readonly trades: number | null
}

const FILL_QUOTE = 500

/**
 * Columns from bars of `width` minutes in time order. Minutes within a bar walk from its open over both extremes to its
 * close and share its volume; minutes that no bar covers stand at the last close without trades. Half of what is traded
 * counts as bought by takers.
 */
export function seriesOf(market: Market, bars: readonly Bar[], width: number): Series {
  const first = bars[0]
  const last = bars.at(-1)
  if (!first || !last) throw new RangeError(`the recording of ${market.base}/${market.quote} is empty`)
  const firstMinute = Math.floor(first.at / MINUTE)
  const series = emptySeries(market, firstMinute, Math.floor(last.at / MINUTE) + width - firstMinute)
  const ticks = (price: number) => Math.round(price * 10 ** market.priceDecimals)
  for (const bar of bars) {
    const place = Math.floor(bar.at / MINUTE) - firstMinute
    const path = pathOf(bar, width)
    const trades = bar.trades ?? Math.max(bar.volume > 0 ? 1 : 0, Math.round((bar.volume * bar.close) / FILL_QUOTE))
    for (let step = 0; step < width; step += 1) {
      const from = path(step / width)
      const to = path((step + 1) / width)
      const index = place + step
      series.open[index] = ticks(from)
      series.close[index] = ticks(to)
      series.high[index] = ticks(width === 1 ? bar.high : Math.max(from, to))
      series.low[index] = ticks(width === 1 ? bar.low : Math.min(from, to))
      series.volume[index] = bar.volume / width
      series.quoteVolume[index] = (bar.volume / width) * ((from + to) / 2)
      series.takerBuyQuote[index] = (series.quoteVolume[index] ?? 0) / 2
      series.trades[index] = Math.ceil(trades / width)
    }
  }
  for (let index = 1; index < series.minutes; index += 1) {
    if (series.close[index] !== 0) continue
    const before = series.close[index - 1] ?? 0
    for (const column of [series.open, series.high, series.low, series.close]) column[index] = before
  }
  return series
}

function pathOf({ open, high, low, close }: Bar, width: number): (share: number) => number {
  if (width === 1) return (share) => (share === 0 ? open : close)
  const [first, second] = close >= open ? [low, high] : [high, low]
  return (share) => {
    if (share <= 1 / 3) return open + (first - open) * share * 3
    if (share <= 2 / 3) return first + (second - first) * (share * 3 - 1)
    return second + (close - second) * (share * 3 - 2)
  }
}

/** A minute of the series; outside of it, null before and the last close without trades after. */
export function candleAt(series: Series, minute: number): Candle | null {
  const index = Math.min(minute - series.firstMinute, series.minutes - 1)
  if (index < 0) return null
  const scale = 10 ** series.market.priceDecimals
  const close = (series.close[index] ?? 0) / scale
  const none = { volume: 0, quoteVolume: 0, trades: 0, takerBuyQuote: 0, burst: null }
  if (minute - series.firstMinute > index) return { open: close, high: close, low: close, close, ...none }
  return {
    open: (series.open[index] ?? 0) / scale,
    high: (series.high[index] ?? 0) / scale,
    low: (series.low[index] ?? 0) / scale,
    close,
    volume: series.volume[index] ?? 0,
    quoteVolume: series.quoteVolume[index] ?? 0,
    trades: series.trades[index] ?? 0,
    takerBuyQuote: series.takerBuyQuote[index] ?? 0,
    burst: null,
  }
}
