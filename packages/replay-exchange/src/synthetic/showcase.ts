import { MINUTE } from '../feed.ts'
import { hash } from '../hash.ts'
import type { Span } from './life.ts'
import { majors } from './names.ts'
import type { Pair } from './pairs.ts'

/** What goes on at any time in a universe that a newcomer looks at. */
export interface Showcase {
  /** Deviation of a pair's price from other venues', as a log; 0 for nearly all. */
  readonly gapOf: (pair: Pair, minute: number) => number
  /** The halt in which a pair is; null for nearly all. */
  readonly haltOf: (pair: Pair, at: number) => Span | null
}

/** Nothing on purpose: what happens comes by chance alone. */
export const noShowcase: Showcase = { gapOf: () => 0, haltOf: () => null }

const GAP_MINUTES = 45
const GAPS = 4
/** By the turn of the venue: one is cheap, two are dear, the others lie between. */
const DEVIATIONS = [-0.008, 0.007, 0.009, 0, 0.002] as const
/** Assets that are proven to be the same everywhere, without those that quote others. */
const STEADY = ['BTC', 'ETH', 'USDC', 'BNB', 'LINK', 'APT']
const gapped = majors.flatMap(([ticker], index) => (STEADY.includes(ticker) ? [] : [index]))
/** A halt begins so often, and lasts so long: whoever reads the lists for the first time soon sees one begin. */
const HALT_EVERY_MS = 5 * MINUTE
const HALTS = 5

/**
 * At any time four proven assets have prices apart between venues by more than fees, for three quarters of an hour each,
 * and up to five pairs do not trade. A function of (seed, time) as all else.
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
