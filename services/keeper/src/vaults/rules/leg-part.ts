import { countedWorth, movingMoney, type LegFunding, type LegTotals } from '@svc/limits'

/** A vault's books of its leg at a block. Base units of USDC. */
export interface LegBooks extends LegFunding {
  readonly open: boolean
}

/** What hl-leg says of a leg. Base units of USDC. */
export interface LegAtVenue extends LegTotals {
  /** Account value less the exit allowance; null without a reading. */
  readonly value: bigint | null
  readonly foreign: bigint | null
  /** What stayed with the owner when the leg ended; 0 before. */
  readonly endedOwed: bigint
  /** Why the reading counts in no mark. */
  readonly withheld: string | null
}

/** Worth of a leg with its money under way, and leg money that the owner took out; or why they are withheld. */
export type LegPart =
  | { readonly worth: bigint; readonly drawn: bigint; readonly withheld: null }
  | { readonly worth: null; readonly drawn: null; readonly withheld: string }

const NOTHING: LegPart = { worth: 0n, drawn: 0n, withheld: null }
const withheld = (reason: string): LegPart => ({ worth: null, drawn: null, withheld: reason })
const atLeastZero = (amount: bigint) => (amount > 0n ? amount : 0n)

/**
 * Returns what a leg adds to the worth of its vault: money under way and what counts at the venue. `leg` is null for a
 * mandate without a leg, and `unreadable` while hl-leg does not answer. A leg that has ended adds nothing; what stayed with its
 * owner is no result of the agent.
 */
export function legPart(books: LegBooks, leg: LegAtVenue | 'unreadable' | null): LegPart {
  const hasMoney = books.open || books.funded > books.returned
  if (leg === 'unreadable') return books.open ? withheld('leg_unreadable') : NOTHING
  if (leg === null) return books.open ? withheld('leg_unknown') : NOTHING
  if (leg.withheld !== null) return withheld(leg.withheld)
  if (!books.open && books.funded > 0n) return { worth: 0n, withheld: null, drawn: leg.endedOwed }
  if (leg.value === null || leg.foreign === null) return hasMoney ? withheld('leg_reading_missing') : NOTHING
  const moving = movingMoney(books, leg)
  const worth = atLeastZero(moving + countedWorth({ value: leg.value, foreign: leg.foreign }))
  // What the owner took out of the account beyond own money is gone, and yet no result of the agent.
  const owed = atLeastZero(moving + atLeastZero(leg.value - leg.foreign))
  return { worth, drawn: owed - worth, withheld: null }
}
