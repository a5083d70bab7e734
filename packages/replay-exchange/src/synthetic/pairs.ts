import { uniform } from '../hash.ts'
import { usualLiquidity } from '../usual-liquidity.ts'
import { majors } from './names.ts'
import type { Slot } from './slots.ts'

/** A pair that a venue lists while its slot has a listed token. */
export interface Pair {
  readonly index: number
  readonly venue: string
  readonly slot: Slot
  /** What ended stays in the venue's lists. */
  readonly keepsEnded: boolean
  readonly quote: string
  /** USD volume of an ordinary day in this pair. */
  readonly volumeUsd: number
  readonly spreadBps: number
  /** USD within 2 % of the mid on each side on an ordinary day. */
  readonly depthUsd: number
}

interface VenueProfile {
  readonly id: string
  /** Share of a token's volume that trades here. */
  readonly share: number
  /** Tokens below this rank are not listed. */
  readonly rankMin: number
  /** Share of the other tokens that are listed. */
  readonly listed: number
  /** Quote currencies: ticker, lowest rank that has the pair, share of the token's volume here. */
  readonly quotes: readonly (readonly [string, number, number])[]
  /** What ended stays in the lists. */
  readonly keepsEnded: boolean
  /** Part of a universe only if it is asked for by name. */
  readonly onRequest?: boolean
}

/** The venues of the synthetic universe. A new one comes last: the places of the others seed their pairs. */
export const venueProfiles: readonly VenueProfile[] = [
  {
    id: 'binance',
    share: 0.45,
    rankMin: 0.5,
    listed: 0.9,
    quotes: [
      ['USDT', 0, 0.86],
      ['USDC', 0.75, 0.07],
      ['BTC', 0.82, 0.03],
      ['TRY', 0.85, 0.03],
      ['ETH', 0.95, 0.01],
    ],
    keepsEnded: true,
  },
  { id: 'gate', share: 0.1, rankMin: 0, listed: 0.8, quotes: [['USDT', 0, 0.97], ['ETH', 0.85, 0.03]], keepsEnded: false }, // prettier-ignore
  {
    id: 'kucoin',
    share: 0.1,
    rankMin: 0.25,
    listed: 0.6,
    quotes: [
      ['USDT', 0, 0.94],
      ['BTC', 0.75, 0.04],
      ['ETH', 0.92, 0.02],
    ],
    keepsEnded: false,
  },
  {
    id: 'upbit',
    share: 0.16,
    rankMin: 0.6,
    listed: 0.6,
    quotes: [
      ['KRW', 0, 0.95],
      ['BTC', 0.7, 0.02],
      ['USDT', 0.8, 0.03],
    ],
    keepsEnded: false,
  },
  {
    id: 'mexc',
    share: 0.12,
    rankMin: 0,
    listed: 0.85,
    quotes: [
      ['USDT', 0, 0.97],
      ['USDC', 0.9, 0.03],
    ],
    keepsEnded: false,
  },
  {
    id: 'bithumb',
    share: 0.12,
    rankMin: 0.55,
    listed: 0.6,
    quotes: [['KRW', 0, 1]],
    keepsEnded: false,
    onRequest: true,
  },
]

/** All pairs of the given venues, in a fixed order. */
export function makePairs(seed: number, slots: readonly Slot[], venues: readonly string[]): readonly Pair[] {
  const pairs: Pair[] = []
  for (const slot of slots) {
    for (const [venue, profile] of venueProfiles.entries()) {
      if (!venues.includes(profile.id) || !lists(seed, slot, slots, venue, profile)) continue
      const common = { venue: profile.id, slot, keepsEnded: profile.keepsEnded }
      for (const [quote, rankMin, quoteShare] of profile.quotes) {
        if (slot.rank < rankMin || majors[slot.index]?.[0] === quote) continue
        const own = Math.exp(0.7 * (uniform(seed, slot.index, venue, 70) * 2 - 1))
        const volumeUsd = slot.volumeUsd * profile.share * quoteShare * own
        const { spreadBps, depthQuote } = usualLiquidity(volumeUsd, uniform(seed, pairs.length, 72) * 2 - 1)
        pairs.push({ ...common, index: pairs.length, quote, volumeUsd, spreadBps, depthUsd: depthQuote })
      }
    }
  }
  return pairs
}

function lists(seed: number, slot: Slot, slots: readonly Slot[], venue: number, profile: VenueProfile): boolean {
  if (slot.major) return true
  // Twins are never listed at one venue: the first is at even venues, the second at odd ones.
  const twin = slot.twinOf !== null || slots[slot.index + 1]?.twinOf === slot.index
  if (twin) return venue % 2 === (slot.twinOf === null ? 0 : 1)
  return slot.rank >= profile.rankMin && uniform(seed, slot.index, venue, 71) < profile.listed
}
