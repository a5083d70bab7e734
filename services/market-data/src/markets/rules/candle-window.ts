import type { TradeMinute } from './trade-features.ts'
import type { Candle } from '#venues/rules/venue.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440

/**
 * Returns the minutes that the candles cover, oldest first: at most the 24 hours before the current minute of `end`.
 * Minutes that a venue leaves out had no trade and keep the previous price. If a venue leaves no minute out, or returned as
 * many candles as it can, the first candle is the first known minute; otherwise the whole day is known.
 */
export function candleWindow(
  candles: readonly Candle[],
  options: { readonly end: number; readonly limit: number; readonly fillsGaps: boolean; readonly usd: number },
): TradeMinute[] {
  const last = Math.floor(options.end / MINUTE_MS) - 1
  const dayStart = last - DAY_MINUTES + 1
  const byMinute = new Map(candles.map((candle) => [Math.floor(candle.at / MINUTE_MS), candle]))
  const oldest = candles[0] === undefined ? null : Math.floor(candles[0].at / MINUTE_MS)
  const knownFrom = oldest !== null && (options.fillsGaps || candles.length >= options.limit) ? oldest : dayStart
  const minutes: TradeMinute[] = []
  let close = 0
  for (let minute = Math.max(knownFrom, dayStart); minute <= last; minute += 1) {
    const candle = byMinute.get(minute)
    close = candle?.close ?? close
    const volume = candle?.volume ?? 0
    minutes.push({ close, quoteVolumeUsd: volume * close * options.usd, trades: volume > 0 ? 1 : 0 })
  }
  return minutes
}
