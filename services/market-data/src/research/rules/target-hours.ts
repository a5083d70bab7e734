import type { HourCandle } from '#venues/rules/venue.ts'

export const HOUR_MS = 3_600_000
/** Hours that are read of a target: seven days, and two more so that the price of seven days ago is among them. */
export const HOURS = 170

/** Hours of a pair as columns of equal length; null is unknown. */
export interface TargetHours {
  readonly firstHour: number
  readonly high: readonly (number | null)[]
  readonly low: readonly (number | null)[]
  readonly close: readonly (number | null)[]
  readonly volumeUsd: readonly (number | null)[]
}

/**
 * Returns the whole hours that the candles cover, at most `HOURS` before `end`; null without one. A venue that leaves out
 * hours without a trade has had none in them: the price stays and the volume is zero. `usd` is null if the rate of the
 * quote currency is unknown: then volumes are.
 */
export function targetHours(
  candles: readonly HourCandle[],
  { end, fillsGaps, usd }: { readonly end: number; readonly fillsGaps: boolean; readonly usd: number | null },
): TargetHours | null {
  const past = Math.floor(end / HOUR_MS)
  const byHour = new Map(candles.map((candle) => [Math.floor(candle.at / HOUR_MS), candle]))
  const known = [...byHour.keys()].filter((hour) => hour < past && hour >= past - HOURS)
  if (known.length === 0) return null
  const first = Math.min(...known)
  const hours: (readonly [number | null, number | null, number | null, number | null])[] = []
  let close: number | null = null
  for (let hour = first; hour < past; hour += 1) {
    const candle = byHour.get(hour)
    if (candle !== undefined) {
      close = candle.close
      hours.push([candle.high, candle.low, close, usd === null ? null : candle.volume * candle.close * usd])
    } else if (fillsGaps) hours.push([null, null, null, null])
    else hours.push([close, close, close, usd === null ? null : 0])
  }
  return {
    firstHour: first * HOUR_MS,
    high: hours.map(([high]) => high),
    low: hours.map(([, low]) => low),
    close: hours.map(([, , price]) => price),
    volumeUsd: hours.map(([, , , volume]) => volume),
  }
}
