import { hash, uniform } from '../hash.ts'
import { majors } from './names.ts'
import type { Pair } from './pairs.ts'

/** Planned gaps, which are the food of arbitrage, and the crises of prices between venues. */
export interface Showcase {
  /** Log deviation of a pair's price from other venues; 0 for almost all pairs. */
  readonly gapOf: (pair: Pair, minute: number) => number
}

/** No planned events: everything is random. */
export const noShowcase: Showcase = { gapOf: () => 0 }

/**
 * Crises a day over all venues of a lively universe of any size, by kind: about one, as a desk has it in ordinary weeks.
 * In a crash books are thin and wide too. Announced ends come on top, as tokens live and end.
 */
export const CRISES_A_DAY = { crash: 0.3, halt: 0.5, venueGap: 0.2, depeg: 0.05 } as const

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
const DAY_MINUTES = 1_440
/** Minutes in which the price of a crisis leaves the others and comes back, and bounds of its length. */
const CRISIS_RAMP = 5
const CRISIS_MINUTES = [30, 120] as const

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

/** How far a crisis of a day is developed, from 0 to 1, in a minute of the day; 0 on most days. */
function crisisAt(seed: number, chance: number, salt: number, minute: number): number {
  const day = Math.floor(minute / DAY_MINUTES)
  if (uniform(seed, day, salt, 1) > chance) return 0
  const [least, most] = CRISIS_MINUTES
  const length = least + (most - least) * uniform(seed, day, salt, 2)
  const since = minute - day * DAY_MINUTES - (DAY_MINUTES - most) * uniform(seed, day, salt, 3)
  return Math.max(0, Math.min(1, since / CRISIS_RAMP, (length - since) / CRISIS_RAMP))
}

/** Salts of the crises by kind. */
const GAP_SALT = 73
const DEPEG_SALT = 74
const STABLE = majors.findIndex(([ticker]) => ticker === 'USDC')

/** Log deviation by the crises of a day: an asset whose price at one venue leaves the others, or a dollar that is none. */
function crisisIn(seed: number, places: ReadonlyMap<number, Place>) {
  const assets = [...places]
  return ({ slot, venue }: Pair, minute: number): number => {
    const day = Math.floor(minute / DAY_MINUTES)
    const size = uniform(seed, day, GAP_SALT, 4)
    if (slot.index === STABLE) return -(0.015 + 0.03 * size) * crisisAt(seed, CRISES_A_DAY.depeg, DEPEG_SALT, minute)
    const [index, place] = assets[hash(seed, day, GAP_SALT, 5) % Math.max(1, assets.length)] ?? []
    if (place === undefined || index !== slot.index) return 0
    if (venue !== place.venues[hash(seed, day, GAP_SALT, 6) % place.venues.length]) return 0
    const sign = hash(seed, day, GAP_SALT, 7) % 2 === 0 ? 1 : -1
    return sign * (0.07 + 0.05 * size) * crisisAt(seed, CRISES_A_DAY.venueGap, GAP_SALT, minute)
  }
}

/**
 * Prices of some proven assets differ between venues by more than fees, for 28 to 36 minutes each; on some days one leaves the
 * others by much more, or the dollar coin its peg. A function of (seed, time).
 */
export function showcaseOf(seed: number, pairs: readonly Pair[]): Showcase {
  const { places, turns } = placesOf(pairs)
  const crisisOf = crisisIn(seed, places)
  const laneOf = ({ slot, quote, venue }: Pair, minute: number): number => {
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
  }
  return { gapOf: (pair, minute) => laneOf(pair, minute) + crisisOf(pair, minute) }
}
