import { MINUTE } from '../feed.ts'
import { hash, uniform } from '../hash.ts'
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

/**
 * Gaps come in lanes. Each lane has one gap after another, and the lanes begin apart, so that at any time some gaps are
 * open, some open and some close.
 */
const LANES = 6
const LANE_MINUTES = 36
/** The last lanes are for invented assets, whose contracts venues publish. */
const INVENTED_LANES = 2
/** Minutes in which a gap opens and closes, and the shortest time for which it is whole. */
const OPENS = 4
const CLOSES = 6
const WHOLE_MIN = 18
/** Venues in rotation: one is cheap, two are dear, the others lie between. */
const DEVIATIONS = [-0.0045, 0.0045, 0.0055, 0, 0.001] as const
/** Assets without gaps: quote currencies, those of the perpetuals venue, and some that prove that most have none. */
const STEADY = ['BTC', 'ETH', 'USDC', 'SOL', 'DOGE', 'BNB', 'LINK', 'APT']
/** Venues that publish contracts, by which invented assets are proven. */
const PUBLISHERS = ['gate', 'kucoin', 'mexc']
/** Interval and duration of halts, so that a new user soon sees one. */
const HALT_EVERY_MS = 5 * MINUTE
const HALTS = 5

interface Place {
  readonly lane: number
  /** Place of the slot among those of its lane. */
  readonly turn: number
  /** Venues that list it in dollars. */
  readonly venues: readonly string[]
}

/** Returns the lane of each slot that can have a gap: slots of one lane take turns. */
function placesOf(pairs: readonly Pair[]): { places: ReadonlyMap<number, Place>; turns: readonly number[] } {
  const venuesOf = new Map<number, string[]>()
  for (const { slot, venue, quote } of pairs)
    if (quote === 'USDT') venuesOf.set(slot.index, [...(venuesOf.get(slot.index) ?? []), venue])
  const turns = Array<number>(LANES).fill(0)
  const places = new Map<number, Place>()
  const put = (index: number, lane: number, venues: readonly string[]) => {
    places.set(index, { lane, turn: turns[lane] ?? 0, venues })
    turns[lane] = (turns[lane] ?? 0) + 1
  }
  for (const { slot } of pairs) {
    if (places.has(slot.index)) continue
    const venues = venuesOf.get(slot.index) ?? []
    const proven = slot.major ? venues : venues.filter((venue) => PUBLISHERS.includes(venue))
    const steady = slot.major ? STEADY.includes(majors[slot.index]?.[0] ?? '') : slot.cycleDays !== null
    if (steady || proven.length < 2) continue
    if (slot.major) put(slot.index, slot.index % (LANES - INVENTED_LANES), proven)
    else put(slot.index, LANES - 1 - (slot.index % INVENTED_LANES), proven)
  }
  return { places, turns }
}

/** How far a gap is open, from 0 to 1, in a minute of its turn. */
function opening(seed: number, lane: number, block: number, minute: number): number {
  const whole = WHOLE_MIN + Math.floor((LANE_MINUTES - OPENS - CLOSES - WHOLE_MIN) * uniform(seed, lane, block, 67))
  const closing = OPENS + whole
  if (minute < OPENS) return (minute + 1) / (OPENS + 1)
  return Math.max(0, Math.min(1, 1 - (minute - closing) / CLOSES))
}

/**
 * Prices of some proven assets differ between venues by more than fees, for 28 to 36 minutes each, and up to five pairs are
 * halted. A function of (seed, time).
 */
export function showcaseOf(seed: number, pairs: readonly Pair[]): Showcase {
  const steady = pairs.filter(({ slot, quote }) => !slot.major && slot.cycleDays === null && quote === 'USDT')
  const { places, turns } = placesOf(pairs)
  return {
    gapOf: ({ slot, quote, venue }, minute) => {
      const place = places.get(slot.index)
      if (place === undefined || quote !== 'USDT') return 0
      const { lane, turn, venues } = place
      const own = minute + lane * (LANE_MINUTES / LANES)
      const block = Math.floor(own / LANE_MINUTES)
      if ((block + hash(seed, lane, 68)) % (turns[lane] ?? 1) !== turn) return 0
      const at = venues.indexOf(venue)
      if (at === -1) return 0
      const rank = (at + hash(seed, slot.index, block, 65)) % venues.length
      const size = (slot.major ? 1 : 1.6) * (0.9 + 0.6 * uniform(seed, slot.index, block, 69))
      return (DEVIATIONS[rank] ?? 0) * size * opening(seed, lane, block, own - block * LANE_MINUTES)
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
