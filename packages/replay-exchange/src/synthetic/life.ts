import { MINUTE } from '../feed.ts'
import { hash, uniform } from '../hash.ts'
import type { Slot } from './slots.ts'

export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The times of one token's life at one venue, in milliseconds; all null but `listedAt` for one that stays. */
export interface Life {
  readonly generation: number
  readonly listedAt: number
  /** The venue begins to warn. */
  readonly cautionAt: number | null
  /** The venue announces the end. */
  readonly announcedAt: number | null
  /** Trading ends. */
  readonly endsAt: number | null
  /** Gone from the lists of those venues that drop what ended. */
  readonly removedAt: number | null
  /** The slot's next token comes. */
  readonly nextAt: number | null
}

const GAP_DAYS = 12
const CAUTION_DAYS = 21
const ANNOUNCED_DAYS = 7
const LISTED_FOREVER = Date.UTC(2019, 0, 1)

/** The life that a slot is in at a time. Venues end the same token up to 30 days apart. */
export function lifeOf(seed: number, slot: Slot, venue: string, at: number): Life {
  if (slot.cycleDays === null) {
    const never = { cautionAt: null, announcedAt: null, endsAt: null, removedAt: null, nextAt: null }
    return { generation: 0, listedAt: LISTED_FOREVER, ...never }
  }
  const cycle = slot.cycleDays * DAY
  const offset = (hash(seed, slot.index, 30) % (slot.cycleDays * 24)) * HOUR
  const generation = Math.floor((at - offset) / cycle)
  const listedAt = offset + generation * cycle
  const nextAt = listedAt + cycle
  const lead = Math.floor(30 * uniform(seed, slot.index, generation, venueSalt(venue)))
  const endsAt = nextAt - (GAP_DAYS + lead) * DAY
  return {
    generation,
    listedAt,
    cautionAt: endsAt - CAUTION_DAYS * DAY,
    announcedAt: endsAt - ANNOUNCED_DAYS * DAY,
    endsAt,
    removedAt: endsAt + 2 * DAY,
    nextAt,
  }
}

function venueSalt(venue: string): number {
  let salt = 31
  for (let index = 0; index < venue.length; index += 1) salt = (salt * 7 + venue.charCodeAt(index)) % 4_093
  return salt
}

/** A time span, in milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

/**
 * Probabilities of the crash of a slot in a block of ten days, of the halt of a slot at a venue in a fortnight, and of a gap
 * between a pair and the other venues in six hours.
 */
export interface Chances {
  readonly crash: number
  readonly halt: number
  readonly gap: number
}

export const USUAL_CHANCES: Chances = { crash: 0.03, halt: 0.05, gap: 0.02 }

const HALT_BLOCK = 14 * DAY

/**
 * Returns the chances that give so many crashes and halts a day over all slots, and all listings of a slot at a venue. There
 * are no gaps but planned ones.
 */
export const chancesOf = (aDay: Omit<Chances, 'gap'>, slots: number, listings: number): Chances => ({
  gap: 0,
  crash: (aDay.crash * CRASH_BLOCK) / DAY / Math.max(1, slots),
  halt: (aDay.halt * HALT_BLOCK) / DAY / Math.max(1, listings),
})

/** The halt of a market in the fortnight of `at`; null in nearly all. It lasts 15 to 90 minutes. */
export function haltOf(
  { seed, chances }: { readonly seed: number; readonly chances: Chances },
  slot: Slot,
  venue: string,
  at: number,
): Span | null {
  const block = Math.floor(at / HALT_BLOCK)
  const salt = slot.index * 4_096 + venueSalt(venue)
  if (uniform(seed, salt, block, 40) > chances.halt) return null
  const start = uniform(seed, salt, block, 41) * (HALT_BLOCK - 2 * HOUR)
  const from = block * HALT_BLOCK + Math.floor(start / MINUTE) * MINUTE
  const minutes = 15 + Math.floor(75 * uniform(seed, salt, block, 42))
  return { from, to: from + minutes * MINUTE }
}

/** A crash: within `rampMs` the log price falls by `drop`. */
export interface Crash {
  readonly at: number
  readonly rampMs: number
  readonly drop: number
}

export const CRASH_BLOCK = 10 * DAY

/** The crash of a slot in a block of ten days; null in most. Majors do not crash alone. */
export function crashOf(seed: number, slot: Slot, block: number, chance: number): Crash | null {
  if (slot.major || uniform(seed, slot.index, block, 50) > chance) return null
  const offset = uniform(seed, slot.index, block, 51) * (CRASH_BLOCK - 2 * HOUR)
  return {
    at: block * CRASH_BLOCK + Math.floor(offset / MINUTE) * MINUTE,
    rampMs: (5 + Math.floor(25 * uniform(seed, slot.index, block, 52))) * MINUTE,
    drop: 0.2 + uniform(seed, slot.index, block, 53),
  }
}
