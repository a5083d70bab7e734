import { ok, refuse } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import { followExists, notHirable, notRunner } from '@svc/contracts/gallery/follows'
import { doorLocked, listingSuspended, listingWithdrawn, unknownListing } from '@svc/contracts/gallery/listing-refusals'
import type { FollowMandate } from '@svc/contracts/mandates/follows'
import { wrongState } from '@svc/contracts/mandates/refusals'
import type { Db, Tx } from '@svc/postgres'
import { callerOf, Outage, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { activeFollowOf, insertFollow, type Follow } from '#gaps/store/follows.ts'
import { findListing, type Listing } from '#listings/store/listings.ts'
import { newId } from '#new-id.ts'
import { findOperatorVault } from '#operators/store/operators.ts'
import { lockSignals, signalHeads } from '#signals/store/signals.ts'
import { followView } from '../follow-view.ts'
import { mandateNamed } from '../mandate-named.ts'
import { mandateOfCaller } from '../read-parties.ts'

export const hireListing: BoundHandler<Context, typeof gallery.operations.hireListing> =
  (context) =>
  async ({ listing_id: listingId, ...named }, call) => {
    const mandateId = mandateNamed(named)
    const { pool, settings, ask } = context
    const hirable = await requireHirable(pool, listingId)
    if (settings.network !== 'testnet') refuse(doorLocked)
    const mandate = await mandateOfCaller(context, mandateId, call)
    const agentId = requireRunner(mandate, settings.houseRunnerId)
    const { legs } = await ask.leg.readFollowLegs({ public_ids: [mandateId] })
    const [leg] = legs
    if (leg?.state !== 'bound' || leg.network !== 'testnet')
      return ok(200, {
        ok: true as const,
        ...(call.isDryRun ? { dry_run: true as const } : {}),
        status: 'pending_leg' as const,
        follow_id: null,
        follow: null,
      })
    const hiredBy = callerOf(call).account_id
    return call.effect(async (tx) => {
      const party = { mandateId, agentId, ownerId: mandate.owner_id, account: leg.owner_address }
      const follow = await hire(tx, hirable, party, { hiredBy, at: call.now })
      const status = 'following' as const
      if (call.isDryRun)
        return ok(200, { ok: true as const, dry_run: true as const, status, follow_id: null, follow: null })
      return ok(200, { ok: true as const, status, follow_id: follow.id, follow: followView(follow) })
    })
  }

/** A listing that can be hired, with the vault of its signals. */
interface Hirable {
  readonly listingId: string
  readonly vaultId: string
}

/** Returns the listing if its signals can be followed: a signal_subscription, or a template of the house. */
async function requireHirable(db: Db, listingId: string): Promise<Hirable> {
  const listing = (await findListing(db, listingId)) ?? refuse(unknownListing)
  if (listing.type === 'vault_deposit') refuse(doorLocked)
  if (listing.status === 'withdrawn') refuse(listingWithdrawn)
  if (listing.status === 'suspended') refuse(listingSuspended)
  return { listingId, vaultId: (await vaultOf(db, listing)) ?? refuse(notHirable) }
}

async function vaultOf(db: Db, { type, vault_id: vaultId }: Listing): Promise<string | null> {
  if (vaultId === null || type === 'signal_subscription') return vaultId
  return (await findOperatorVault(db, vaultId))?.house === true ? vaultId : null
}

/** Returns the house runner if it is the agent of a mandate that may follow now. */
function requireRunner({ agent_id: agentId, state }: FollowMandate, runnerId: number | null): number {
  if (agentId === null || agentId !== runnerId) refuse(notRunner, undefined, { runner_agent_id: runnerId })
  if (state !== 'signed' && state !== 'working')
    refuse(wrongState, undefined, { state, allowed: ['signed', 'working'] })
  return agentId
}

/**
 * Stores the follow under the lock of the numbering of the vault, so that no signal of before the hire comes after it. Returns
 * the active follow if it is of the same listing; refuses beside one of another listing.
 */
async function hire(
  tx: Tx,
  { listingId, vaultId }: Hirable,
  party: Pick<Follow, 'mandateId' | 'agentId' | 'ownerId' | 'account'>,
  by: { readonly hiredBy: number; readonly at: Date },
): Promise<Follow> {
  await lockSignals(tx, vaultId)
  const [head] = await signalHeads(tx, [vaultId])
  const one = { id: newId('fol'), listingId, vaultId, afterSeq: head?.seq ?? 0, ...party }
  const follow = await storedOrActive(tx, one, by)
  if (follow.listingId !== listingId) refuse(followExists, undefined, { listing_id: follow.listingId })
  return follow
}

/** How often a release may come between the two statements of a hire. */
const TRIES_MAX = 3

/** Stores a follow; returns the active one of the mandate beside which it cannot be stored. */
async function storedOrActive(
  tx: Tx,
  one: Parameters<typeof insertFollow>[1],
  by: { readonly hiredBy: number; readonly at: Date },
): Promise<Follow> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const follow = (await insertFollow(tx, one, by)) ?? (await activeFollowOf(tx, one.mandateId))
    if (follow !== null) return follow
  }
  throw new Outage('gallery', `follows of ${one.mandateId} begin and end at this moment`)
}
