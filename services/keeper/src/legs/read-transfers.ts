import type { LegTransfer } from '@svc/contracts/hl-leg/money'
import type { BodyOf } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import type { Context } from '#context.ts'

/** The pool's money at the venue and what is lent. */
export type PoolStanding = BodyOf<typeof hlLeg.operations.listLegTransfers>['pool']

/** Transfers that need a look, and the pool. */
export interface ReadTransfers {
  readonly transfers: readonly LegTransfer[]
  readonly pool: PoolStanding
}

/** Pages of 100 transfers that one run reads at most. */
const PAGES_MAX = 100
/** How long an ended transfer is looked at again, because replaced blocks may take its log away. */
const WATCHED_MS = 3_600_000

/** Reads the transfers that are open or changed in the last hour. */
export async function readTransfers({ ask, clock }: Pick<Context, 'ask' | 'clock'>): Promise<ReadTransfers> {
  const transfers: LegTransfer[] = []
  const changed_since = new Date(clock.now().getTime() - WATCHED_MS).toISOString()
  let pool: PoolStanding = { withdrawable_usdc: null, lent_usdc: '0' }
  let after: string | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const answer = await ask.legs.listLegTransfers({ changed_since, ...(after === undefined ? {} : { after }) })
    if (page === 0) pool = answer.pool
    transfers.push(...answer.transfers)
    after = answer.transfers.at(-1)?.transfer_id
    if (answer.transfers.length < 100) break
  }
  return { transfers, pool }
}
