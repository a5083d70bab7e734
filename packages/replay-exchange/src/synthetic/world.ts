import type { Token } from '../feed.ts'
import type { Chances, Life } from './life.ts'
import type { Pair } from './pairs.ts'
import type { Showcase } from './showcase.ts'
import type { Slot } from './slots.ts'

/** A synthetic market: which tokens trade where and when. Prices, activity and books follow from it. */
export interface World {
  readonly dataset: string
  readonly seed: number
  readonly venues: readonly string[]
  /** Bounds of time; null for none. */
  readonly startsAt: number | null
  readonly endsAt: number | null
  /** Place in the list is the slot's index. */
  readonly slots: readonly Slot[]
  /** Place in the list is the pair's index. */
  readonly pairs: readonly Pair[]
  /** Life of the token in the pair's slot at the pair's venue. */
  readonly lifeOf: (pair: Pair, at: number) => Life
  /** Price level of a generation of the slot, and the generation at a time. */
  readonly priceOf: (slot: Slot, generation: number) => number
  readonly generationOf: (slot: Slot, at: number) => number
  readonly tokenOf: (pair: Pair, generation: number) => Token
  readonly tokens: (at: number) => readonly Token[]
  readonly chances: Chances
  /** Planned gaps. */
  readonly showcase: Showcase
  /** A quote currency as the slot in which it trades, or its constant USD value. */
  readonly quoteOf: (quote: string) => Slot | number
}
