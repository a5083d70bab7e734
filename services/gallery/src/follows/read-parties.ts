import { refuse } from '@svc/contract'
import { unknownMandate } from '@svc/contracts/mandates/refusals'
import type { FollowLeg } from '@svc/contracts/hl-leg/follows'
import type { FollowMandate } from '@svc/contracts/mandates/follows'
import { callerOf, type Call } from '@svc/service'
import type { Context } from '#context.ts'

/** Mandates and legs of one question. */
const ASKED_MAX = 100

/** Returns a mandate if the caller is its owner or agent. Refuses with `unknown_mandate`; rejects with an outage. */
export async function mandateOfCaller(
  { ask }: Pick<Context, 'ask'>,
  mandateId: string,
  call: Call,
): Promise<FollowMandate> {
  const { account_id: accountId, kind } = callerOf(call)
  const { mandates } = await ask.mandates.readFollowMandates({ public_ids: [mandateId] })
  const mandate = mandates.find(({ public_id }) => public_id === mandateId)
  const party = kind === 'owner' ? mandate?.owner_id : mandate?.agent_id
  return mandate !== undefined && party === accountId ? mandate : refuse(unknownMandate)
}

/** Mandates and legs by the public id of the mandate; a leg is null for a mandate without one. */
export interface PartyFacts {
  readonly mandates: ReadonlyMap<string, FollowMandate>
  readonly legs: ReadonlyMap<string, FollowLeg | null>
}

/** Asks mandates and hl-leg about mandates, from stored rows, in pages. Rejects with an outage. */
export async function readParties({ ask }: Pick<Context, 'ask'>, mandateIds: readonly string[]): Promise<PartyFacts> {
  const mandates = new Map<string, FollowMandate>()
  const legs = new Map<string, FollowLeg | null>()
  for (let from = 0; from < mandateIds.length; from += ASKED_MAX) {
    const public_ids = mandateIds.slice(from, from + ASKED_MAX)
    const [known, bound] = await Promise.all([
      ask.mandates.readFollowMandates({ public_ids }),
      ask.leg.readFollowLegs({ public_ids }),
    ])
    for (const mandate of known.mandates) mandates.set(mandate.public_id, mandate)
    for (const id of public_ids) legs.set(id, bound.legs.find(({ public_id }) => public_id === id) ?? null)
  }
  return { mandates, legs }
}
