import { mandateBudgetExceeded } from '@svc/contracts/subscriptions/holds'
import { insufficientCherry } from '@svc/contracts/subscriptions/ledger'
import { RemoteRefusal } from '@svc/service'
import type { Context } from '#context.ts'
import { findListing } from '#listings/store/listings.ts'
import { payForSignals } from './pay-for-signals.ts'

/** A signal that a mandate follows through a listing. */
export interface FollowedSignal {
  /** Owner of the mandate, who pays. */
  readonly ownerId: number
  readonly mandateId: string
  readonly listingId: string
  readonly vaultId: string
  readonly seq: number
}

/** Time in which a follow pays for a signal. */
const PAY_WITHIN_MS = 10_000

/**
 * Charges the owner of a mandate for a signal that it follows. `free`: it costs the owner nothing; `captured`: it is paid,
 * now or before, by a read or a follow; `unpaid`: the owner lacks the Cherry. Repeats charge nothing. Rejects with an
 * outage, after which the same call goes on.
 */
export async function captureForFollow(
  context: Context,
  { ownerId, mandateId, listingId, vaultId, seq }: FollowedSignal,
): Promise<'free' | 'captured' | 'unpaid'> {
  const listing = await findListing(context.pool, listingId)
  if (listing?.vault_id !== vaultId) throw new Error(`listing ${listingId} does not sell the signals of ${vaultId}`)
  try {
    const { free } = await payForSignals(context, {
      accountId: ownerId,
      sellerId: listing.seller_agent_id,
      listingId,
      vaultId,
      price: listing.price_cherry,
      seqs: [seq],
      reference: mandateId,
      now: context.clock.now(),
      deadline: Date.now() + PAY_WITHIN_MS,
    })
    return free ? 'free' : 'captured'
  } catch (error) {
    if (
      error instanceof RemoteRefusal &&
      [insufficientCherry.code, mandateBudgetExceeded.code].includes(error.body.code as never)
    )
      return 'unpaid'
    throw error
  }
}
