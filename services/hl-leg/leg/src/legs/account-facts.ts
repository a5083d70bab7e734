import type { Address } from 'viem'
import type { Context } from '#context.ts'
import { readAccount } from '#readings/read-account.ts'
import type { Reading } from '@svc/venue/rules/reading'
import type { WeightClass } from '@svc/venue/rules/weights'
import { venueSkew } from '#venue/venue-clock.ts'
import type { AccountFacts } from './rules/checks.ts'

type Reader = Pick<Context, 'venue' | 'pool' | 'clock' | 'settings' | 'log'>

/** What decides whether an account can have a leg, and the reading that says whether it is flat. */
export interface ReadFacts {
  readonly facts: AccountFacts
  /** Null for an account that the venue does not know. */
  readonly reading: Reading | null
}

/**
 * Reads everything that decides whether an owner's account can have a leg. `isKnown`: the venue said before that the
 * address is the account of a person, which never changes.
 */
export async function readFacts(
  context: Reader,
  by: WeightClass,
  owner: Address,
  isKnown: boolean,
): Promise<ReadFacts> {
  const { venue } = context
  const role = isKnown ? 'user' : (await venue.ask(by, 'userRole', { user: owner })).role
  const { skewMs } = await venueSkew(context, by)
  if (role !== 'user') return { facts: { role, mode: null, agents: null, isFlat: null, skewMs }, reading: null }
  const mode = await venue.ask(by, 'userAbstraction', { user: owner })
  const agents = await venue.ask(by, 'extraAgents', { user: owner })
  const reading = await readAccount(context, by, owner)
  const isFlat = reading.positions.length === 0 && !(await hasOrders(context, by, owner, reading))
  return { facts: { role, mode, agents, isFlat, skewMs }, reading }
}

/**
 * Orders that wait for a price need no collateral, so each dex that the venue lists is asked, and in the form that surely
 * contains them.
 */
async function hasOrders({ venue }: Reader, by: WeightClass, owner: Address, reading: Reading): Promise<boolean> {
  const dexes = reading.dexes.filter(({ at }) => at !== null)
  const fields = dexes.map(({ dex }) => (dex === '' ? { user: owner } : { user: owner, dex }))
  const orders = await venue.askEach(by, 'frontendOpenOrders', fields)
  return orders.some((each) => each.length > 0)
}
