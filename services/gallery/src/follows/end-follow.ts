import { gallery } from '@svc/contracts/gallery'
import type { FollowEndReason } from '@svc/contracts/gallery/gaps'
import { emit, type Tx } from '@svc/postgres'
import { endFollow, lockFollows, type Follow } from '#gaps/store/follows.ts'
import { findListing } from '#listings/store/listings.ts'
import { lockSignals, signalHeads } from '#signals/store/signals.ts'

/**
 * Ends a follow at the newest signal of its vault, so that no later one is followed, and tells its owner unless a party
 * released it. Returns the follow as it is then: one that has ended stays as it was.
 */
export async function endFollowAt(
  tx: Tx,
  { id, vaultId }: Pick<Follow, 'id' | 'vaultId'>,
  reason: FollowEndReason,
  at: Date,
): Promise<Follow | null> {
  const [locked] = await lockFollows(tx, [id])
  if (locked === undefined || locked.endedAt !== null) return locked ?? null
  await lockSignals(tx, vaultId)
  const [head] = await signalHeads(tx, [vaultId])
  const ended = await endFollow(tx, id, { reason, lastSeq: head?.seq ?? 0, at })
  if (ended === null || reason === 'released') return ended
  const listing = await findListing(tx, ended.listingId)
  await emit(tx, gallery.events.followEnded, {
    follow_id: ended.id,
    public_id: ended.mandateId,
    owner_id: ended.ownerId,
    listing_id: ended.listingId,
    listing_title: listing?.title ?? '',
    reason,
    at: at.toISOString(),
  })
  return ended
}
