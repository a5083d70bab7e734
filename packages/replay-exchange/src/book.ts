import { uniform } from './hash.ts'
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

export const LEVELS_MAX = 500
const REACH_BPS = 1_000
const BAND_BPS = 200

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
 * Makes a book around `mid`. Levels get sparser away from the mid, prices lie on the tick, and the notional within 2 % of
 * the mid adds up to `depthQuote` on each side, unless half the spread is wider than that.
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

function side(market: Market, { mid, spreadBps, depthQuote, limit }: BookShape, sign: 1 | -1): Level[] {
  const tick = tickOf(market)
  const count = Math.min(limit, LEVELS_MAX)
  const half = spreadBps / 2
  const step = Math.max(0.4, spreadBps * 0.6)
  const levels: Level[] = []
  let previousTicks = Number.NaN
  let previousBps = half
  for (let index = 0; levels.length < count; index += 1) {
    const bps = half + step * index * (1 + index / 40)
    if (bps > half + REACH_BPS) break
    const exact = (mid * (1 + (sign * bps) / 10_000)) / tick
    const ticks = sign < 0 ? Math.floor(exact + 1e-9) : Math.ceil(exact - 1e-9)
    if (ticks <= 0) break
    const notional = (depthQuote * (bps - previousBps || step)) / BAND_BPS
    previousBps = bps
    const price = ticks * tick
    const jitter = 0.5 + uniform(market.key, index, sign)
    const amount = rounded((notional * jitter) / price, market.amountDecimals)
    const last = levels.at(-1)
    // Levels with the same tick are merged.
    if (ticks === previousTicks && last) levels[levels.length - 1] = [last[0], last[1] + amount]
    else if (amount > 0) {
      levels.push([price, amount])
      previousTicks = ticks
    }
  }
  return levels
}

function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals
  return Math.max(1, Math.round(value * scale)) / scale
}
