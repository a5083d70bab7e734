import type { Feed } from '../feed.ts'
import { chancesOf, lifeOf, USUAL_CHANCES } from './life.ts'
import { majors } from './names.ts'
import { makePairs, venueProfiles } from './pairs.ts'
import { quoteValue } from './quotes.ts'
import { CRISES_A_DAY, noShowcase, showcaseOf } from './showcase.ts'
import { makeSlots, priceOf, TOKENS_MAX, TOKENS_MIN, tokenOf } from './slots.ts'
import { worldFeed } from './world-feed.ts'

export interface SyntheticOptions {
  readonly seed: number
  /** Tokens that the universe has at a time: 30 to 5,000. */
  readonly tokens: number
  readonly venues: readonly string[]
  /** Adds planned price gaps between venues, and has the crises of `CRISES_A_DAY`. Default: as many as the universe is large. */
  readonly lively?: boolean
}

/** Ids of the venues that a synthetic universe may have, and of those that it has if none are named. */
export const syntheticVenues: readonly string[] = venueProfiles.map(({ id }) => id)
export const usualVenues: readonly string[] = venueProfiles.filter((one) => one.onRequest !== true).map(({ id }) => id)

/**
 * Returns a universe whose distributions follow measured ones. Equal seeds and numbers of tokens give equal answers for any
 * time, in any order of requests.
 */
export function createSyntheticFeed({ seed, tokens, venues, lively = false }: SyntheticOptions): Feed {
  if (!Number.isInteger(tokens) || tokens < TOKENS_MIN || tokens > TOKENS_MAX)
    throw new RangeError(`tokens must be from ${TOKENS_MIN} to ${TOKENS_MAX}`)
  const slots = makeSlots(seed, tokens)
  // The generation is the same at every venue: only the ends differ.
  const generationOf = (slot: (typeof slots)[number], at: number) => lifeOf(seed, slot, '', at).generation
  const pairs = makePairs(seed, slots, venues)
  const listings = new Set(pairs.map(({ slot, venue }) => `${venue} ${slot.index}`))
  return worldFeed({
    dataset: 'synthetic',
    seed,
    venues,
    startsAt: null,
    endsAt: null,
    slots,
    pairs,
    lifeOf: ({ slot, venue }, at) => lifeOf(seed, slot, venue, at),
    priceOf: (slot, generation) => priceOf(seed, slot, generation),
    generationOf,
    tokenOf: ({ slot }, generation) => tokenOf(seed, slot, generation),
    tokens: (at) => slots.map((slot) => tokenOf(seed, slot, generationOf(slot, at))),
    chances: lively ? chancesOf(CRISES_A_DAY, tokens - majors.length, listings.size) : USUAL_CHANCES,
    showcase: lively ? showcaseOf(seed, pairs) : noShowcase,
    quoteOf: (quote) => quoteValue(quote, (index) => slots[index]),
  })
}
