import { normal } from './hash.ts'
import type { Liquidity, Market } from './feed.ts'

/** `[price, amount]`; the best level comes first. */
export type Level = readonly [number, number]

export interface Book {
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Increases with time. */
  readonly sequence: number
}

export const LEVELS_MAX = 5_000
const REACH_BPS = 3_000
const BAND_BPS = 200
/** A book reaches at least this far beyond its best price before it has all its levels. */
const SPAN_BPS_MIN = 60
/** Levels within a distance grow with distance ^ 0.75, as in recorded books of liquid pairs. */
const SPREADING = 4 / 3
/** Logarithmic deviation of the notional of a level, and the mean that it gives. */
const SIZE_SIGMA = 0.6
const SIZE_MEAN = Math.exp(SIZE_SIGMA ** 2 / 2)
/** Bound of the work of one side, whose levels may share ticks. */
const STEPS_MAX = 20_000

/** Parameters of a book. */
export interface BookShape extends Liquidity {
  readonly mid: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Most levels of a side. */
  readonly limit: number
  /** Puts the best bid above the best ask. */
  readonly crossed: boolean
}

/**
 * Makes a book around `mid`. Levels get sparser away from the mid, prices lie on the tick, and about `levels` of them with a
 * notional of `depthQuote` lie within 2 % of the mid on each side, most of it in the inner quarter, unless half the spread is
 * wider than that. A shorter book is the beginning of a longer one.
 */
export function makeBook(market: Market, shape: BookShape): Book {
  const { mid, spreadBps, at, crossed } = shape
  const tick = tickOf(market)
  const shift = crossed ? 1 + Math.max(0.01, (2 * spreadBps) / 10_000, (4 * tick) / mid) : 1
  return {
    bids: side(market, { ...shape, mid: mid * shift }, -1),
    asks: side(market, shape, 1),
    at,
    sequence: Math.floor(at / 100),
  }
}

const tickOf = ({ priceDecimals }: Market) => 10 ** -priceDecimals

function side(market: Market, shape: BookShape, sign: 1 | -1): Level[] {
  const { mid, spreadBps, depthQuote, levels: within, limit } = shape
  const tick = tickOf(market)
  const count = Math.min(limit, LEVELS_MAX)
  const half = spreadBps / 2
  const span = Math.max(SPAN_BPS_MIN, BAND_BPS - half)
  const usual = depthQuote / within / SIZE_MEAN
  const levels: Level[] = []
  let previousTicks = Number.NaN
  for (let index = 0; index < STEPS_MAX; index += 1) {
    const bps = half + span * (index / within) ** SPREADING
    if (bps > half + REACH_BPS) break
    const exact = (mid * (1 + (sign * bps) / 10_000)) / tick
    const ticks = sign < 0 ? Math.floor(exact + 1e-9) : Math.ceil(exact - 1e-9)
    if (ticks <= 0) break
    const price = ticks * tick
    const notional = usual * sizeAt(index / within) * Math.exp(SIZE_SIGMA * normal(market.key, index, sign))
    const amount = rounded(notional / price, market.amountDecimals)
    const last = levels.at(-1)
    // Levels with the same tick are merged.
    if (ticks === previousTicks && last) levels[levels.length - 1] = [last[0], last[1] + amount]
    else if (levels.length === count) break
    else {
      levels.push([price, amount])
      previousTicks = ticks
    }
  }
  return levels
}

/** Returns the size of a level relative to the mean; `share` is its place among the levels of the band. The mean is 1. */
function sizeAt(share: number): number {
  if (share < 0.08) return 0.9
  return share < 0.4 ? 1.7 : 0.64
}

function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals
  return Math.max(1, Math.round(value * scale)) / scale
}
