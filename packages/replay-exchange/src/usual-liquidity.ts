import type { Liquidity } from './feed.ts'

/**
 * Returns the usual spread and depth of a pair with this daily volume. `scatter` is from -1 (tight and deep) to 1; depth is
 * in the unit of the volume.
 */
export function usualLiquidity(dayVolume: number, scatter: number): Liquidity {
  const volume = Math.max(1, dayVolume)
  return {
    spreadBps: Math.min(420, Math.max(0.2, 12 * (2_000_000 / volume) ** 0.4 * Math.exp(0.6 * scatter))),
    depthQuote: 0.03 * volume * (volume / 2_000_000) ** -0.15 * Math.exp(-0.7 * scatter),
  }
}
