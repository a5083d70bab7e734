import { MINUTE } from '../feed.ts'
import { hash } from '../hash.ts'
import type { Span } from './life.ts'
import { majors } from './names.ts'
import type { Pair } from './pairs.ts'

/** Planned events that occur at any time, so that no list is empty. */
export interface Showcase {
  /** Log deviation of a pair's price from other venues; 0 for almost all pairs. */
  readonly gapOf: (pair: Pair, minute: number) => number
  /** Current halt of a pair; null for almost all pairs. */
  readonly haltOf: (pair: Pair, at: number) => Span | null
}

/** No planned events: everything is random. */
export const noShowcase: Showcase = { gapOf: () => 0, haltOf: () => null }

const GAP_MINUTES = 45
const GAPS = 4
/** Venues in rotation: one is cheap, two are expensive, the others lie between. */
const DEVIATIONS = [-0.008, 0.007, 0.009, 0, 0.002] as const
/** Assets that are proven to be the same everywhere, without quote currencies. */
const STEADY = ['BTC', 'ETH', 'USDC', 'BNB', 'LINK', 'APT']
const gapped = majors.flatMap(([ticker], index) => (STEADY.includes(ticker) ? [] : [index]))
/** Interval and duration of halts, so that a new user soon sees one. */
const HALT_EVERY_MS = 5 * MINUTE
const HALTS = 5

/**
 * At any time the prices of four proven assets differ between venues by more than fees, for 45 minutes each, and up to five
 * pairs are halted. A function of (seed, time).
 */
export function showcaseOf(seed: number, venues: readonly string[], pairs: readonly Pair[]): Showcase {
  const steady = pairs.filter(({ slot, quote }) => !slot.major && slot.cycleDays === null && quote === 'USDT')
  return {
    gapOf: ({ slot, quote, venue }, minute) => {
      if (!slot.major || quote !== 'USDT') return 0
      const block = Math.floor(minute / GAP_MINUTES)
      const place = gapped.indexOf(slot.index)
      const turn = (place - ((block * GAPS) % gapped.length) + gapped.length) % gapped.length
      if (place === -1 || turn >= GAPS) return 0
      const rank = (venues.indexOf(venue) + hash(seed, slot.index, block, 65)) % venues.length
      return DEVIATIONS[rank] ?? 0
    },
    haltOf: (pair, at) => {
      const newest = Math.floor(at / HALT_EVERY_MS)
      for (let block = newest; block > newest - HALTS; block -= 1) {
        const chosen = steady[hash(seed, block, 66) % Math.max(1, steady.length)]
        if (pair.index === chosen?.index) return { from: block * HALT_EVERY_MS, to: (block + HALTS) * HALT_EVERY_MS }
      }
      return null
    },
  }
}
