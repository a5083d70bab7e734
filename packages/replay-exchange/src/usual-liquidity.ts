import type { Liquidity } from './feed.ts'

/**
 * Returns the usual number of price levels of a side within 2 % of the mid, from the dollars that rest there. It follows
 * 86 recorded books (`recorded/books.test.ts`): a few levels with $1,000, 40 with $190,000, 1,300 with $20 million.
 */
export function usualLevels(depthUsd: number): number {
  return Math.max(2, 3 * (depthUsd / 1_000) ** 0.45 + depthUsd / 20_000)
}

/** No side holds more: the deepest recorded ones, of bitcoin and ether at Coinbase, have $8 to $24 million within 2 %. */
const DEPTH_USD_MAX = 60_000_000

/**
 * Returns the usual book of a pair with this daily volume in dollars. `scatter` is from -1 (tight and deep) to 1; depth is
 * in dollars.
 */
export function usualLiquidity(dayVolume: number, scatter: number): Liquidity {
  const volume = Math.max(1, dayVolume)
  const unbounded = 0.03 * volume * (volume / 2_000_000) ** -0.15 * Math.exp(-0.7 * scatter)
  const depthQuote = unbounded / (1 + unbounded / DEPTH_USD_MAX)
  return {
    spreadBps: Math.min(420, Math.max(0.2, 12 * (2_000_000 / volume) ** 0.4 * Math.exp(0.6 * scatter))),
    depthQuote,
    levels: usualLevels(depthQuote),
  }
}
