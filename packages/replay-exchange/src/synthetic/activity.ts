import { normal, poisson, uniform } from '../hash.ts'
import type { Pair } from './pairs.ts'

/** Trading of a pair in a minute. */
export interface Activity {
  readonly trades: number
  /** Traded notional in USD. */
  readonly notionalUsd: number
  readonly burst: { readonly from: number; readonly count: number } | null
}

const BURST_EVERY_MINUTES = 3_000
const BURST_FILLS = 24

/** Notional of an average fill in USD: larger where more is traded. */
function averageFill(volumeUsd: number): number {
  return Math.max(12, 60 * (volumeUsd / 100_000) ** 0.2)
}

/** Expected fills of an hour relative to an ordinary one: the time of day and this hour's own luck, 1 on average. */
export function hourFactor(seed: number, pair: Pair, hour: number): number {
  const ofDay = 1 + 0.3 * Math.sin(((hour % 24) / 24) * 2 * Math.PI)
  return ofDay * Math.exp(0.5 * normal(seed, pair.index, hour) - 0.125)
}

/** Expected fills and notional of an ordinary day. */
export function dayActivity(pair: Pair): { readonly trades: number; readonly notionalUsd: number } {
  return { trades: pair.volumeUsd / averageFill(pair.volumeUsd), notionalUsd: pair.volumeUsd }
}

/** What happens in a minute; `level` multiplies an ordinary day's activity. */
export function minuteActivity(seed: number, pair: Pair, minute: number, level: number): Activity {
  const { trades: ofDay } = dayActivity(pair)
  const factor =
    hourFactor(seed, pair, Math.floor(minute / 60)) * Math.exp(1.1 * normal(seed, ~pair.index, minute) - 0.6)
  const usual = poisson((ofDay / 1_440) * factor * level, uniform(seed, pair.index, minute, 80))
  const bursts = uniform(seed, pair.index, minute, 81) < level / BURST_EVERY_MINUTES && usual > 0
  const trades = bursts ? usual + BURST_FILLS : usual
  const size = averageFill(pair.volumeUsd) * (0.5 + uniform(seed, pair.index, minute, 82))
  const from = Math.floor(usual * uniform(seed, pair.index, minute, 83))
  return { trades, notionalUsd: trades * size, burst: bursts ? { from, count: BURST_FILLS } : null }
}
