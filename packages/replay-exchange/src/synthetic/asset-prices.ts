import { MINUTE } from '../feed.ts'
import { HOUR } from './life.ts'
import { createPrices } from './prices.ts'
import { makeSlots, TOKENS_MAX, TOKENS_MIN, type Slot } from './slots.ts'
import { majors } from './names.ts'

/** Seed of the synthetic market, where none is named. */
export const SYNTHETIC_SEED = 1

/** Prices of the assets of a synthetic market by ticker at a time in milliseconds; null for an asset that it does not know. */
export interface AssetPrices {
  readonly priceUsd: (ticker: string, at: number) => number | null
  /** What a long perpetual position pays to a short one in the hour of `at`, as a share of its worth. */
  readonly fundingHour: (ticker: string, at: number) => number | null
}

/** Assets that have perpetuals and no pair in the universe: ticker, price in USD, daily deviation, share of the market's moves. */
const DERIVED: readonly (readonly [string, number, number, number])[] = [
  ['HYPE', 32.5, 0.045, 1],
  ['XYZ100', 25_000, 0.009, 0.15],
  ['TSLA', 325.5, 0.03, 0.2],
]

const FUNDING_USUAL = 0.000_012_5
/** Funding of an hour follows the return of the last hours: this share of it, up to a most. */
const FUNDING_HOURS = 8
const FUNDING_OF_RETURN = 0.000_5
const FUNDING_MAX = 0.000_1

/**
 * Returns the prices of assets as a pure function of (seed, ticker, time): those of the pairs that venues of the synthetic
 * universe list, less what a venue deviates. A price moves at every millisecond. Prices of one minute on another are
 * connected by a straight line, as the fills of a minute are up to their range.
 */
export function createAssetPrices(seed: number = SYNTHETIC_SEED): AssetPrices {
  const listed = makeSlots(seed, TOKENS_MIN).filter(({ major }) => major)
  const derived = DERIVED.map(([, priceUsd, volatility, beta], index): Slot => {
    const none = { twinOf: null, cycleDays: null }
    return { ...none, index: TOKENS_MAX + index, major: true, rank: 1, volumeUsd: 0, priceUsd, volatility, beta }
  })
  // None of these assets crashes alone.
  const pricesOf = (slots: readonly Slot[]) => createPrices(seed, slots, (slot) => slot.priceUsd, 0)
  const known = new Map([
    ...pricedBy(majors, listed, pricesOf(listed).at),
    ...pricedBy(DERIVED, derived, pricesOf(derived).at),
  ])
  return {
    priceUsd: (ticker, at) => {
      const price = known.get(ticker)
      if (price === undefined) return null
      const minute = Math.floor(at / MINUTE)
      const share = at / MINUTE - minute
      return price(minute) * (1 - share) + price(minute + 1) * share
    },
    fundingHour: (ticker, at) => {
      const price = known.get(ticker)
      if (price === undefined) return null
      const hour = Math.floor(at / HOUR)
      const change = Math.log(price(hour * 60) / price((hour - FUNDING_HOURS) * 60))
      return Math.min(FUNDING_MAX, Math.max(-FUNDING_MAX, FUNDING_USUAL + FUNDING_OF_RETURN * change))
    },
  }
}

type MinutePrice = (minute: number) => number

const pricedBy = (
  names: readonly (readonly [string, ...unknown[]])[],
  slots: readonly Slot[],
  price: (slot: Slot, minute: number) => number,
): (readonly [string, MinutePrice])[] =>
  slots.map((slot, place) => [names[place]?.[0] ?? '', (minute) => price(slot, minute)] as const)
