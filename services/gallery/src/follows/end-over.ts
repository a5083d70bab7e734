import type { Context } from '#context.ts'
import type { Follow } from '#gaps/store/follows.ts'
import { findListing } from '#listings/store/listings.ts'
import { findOperatorVault } from '#operators/store/operators.ts'
import { endFollowAt } from './end-follow.ts'
import type { PartyFacts } from './read-parties.ts'
import { endReasonOf } from './rules/end-reason.ts'

/** Ends those of some active follows whose listing, operator, mandate or leg has ended, and returns their ids. */
export async function endOver(
  { pool, clock }: Pick<Context, 'pool' | 'clock'>,
  follows: readonly Follow[],
  facts: PartyFacts,
): Promise<ReadonlySet<string>> {
  const listings = new Map(
    await Promise.all(
      [...new Set(follows.map(({ listingId }) => listingId))].map(
        async (id) => [id, await findListing(pool, id)] as const,
      ),
    ),
  )
  const vaults = new Map(
    await Promise.all(
      [...new Set(follows.map(({ vaultId }) => vaultId))].map(
        async (id) => [id, await findOperatorVault(pool, id)] as const,
      ),
    ),
  )
  const over = new Set<string>()
  for (const follow of follows) {
    const listing = listings.get(follow.listingId)
    if (follow.endedAt !== null || listing === undefined || listing === null) continue
    const reason = endReasonOf({
      follow,
      listing,
      operatorLive: vaults.get(follow.vaultId)?.live === true,
      mandate: facts.mandates.get(follow.mandateId),
      leg: facts.legs.get(follow.mandateId),
    })
    if (reason === null) continue
    await pool.transaction((tx) => endFollowAt(tx, follow, reason, clock.now()))
    over.add(follow.id)
  }
  return over
}
