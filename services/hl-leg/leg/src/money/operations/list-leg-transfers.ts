import { ok } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { usdcText } from '@svc/limits'
import { isOutage, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { unitsOf } from '../rules/return-amount.ts'
import { debtOfAll } from '../store/debts.ts'
import { lentToAll } from '../store/lending.ts'
import { listTransfers, transferView } from '../store/transfers.ts'

export const listLegTransfers: BoundHandler<Context, typeof hlLeg.operations.listLegTransfers> =
  (context) =>
  async ({ changed_since, after, limit }) => {
    const { pool, settings } = context
    const changedSince = changed_since === undefined ? null : new Date(changed_since)
    const transfers = await listTransfers(pool, { after: after ?? null, changedSince, limit })
    const [lent, owed] = await Promise.all([lentToAll(pool, settings.network), debtOfAll(pool, settings.network)])
    return ok(200, {
      transfers: transfers.map(transferView),
      // The pool is asked once, with the first page.
      pool: {
        withdrawable_usdc: after === undefined ? await withdrawableOfPool(context) : null,
        lent_usdc: usdcText(lent + owed),
      },
    })
  }

/** Reads what the pool can send at the venue; null without a pool, and while the venue does not answer. */
async function withdrawableOfPool({ venue, settings, log }: Context): Promise<string | null> {
  if (settings.poolAddress === null) return null
  try {
    const user = settings.poolAddress.toLowerCase() as `0x${string}`
    const { withdrawable } = await venue.ask('worth', 'clearinghouseState', { user })
    return usdcText(unitsOf(withdrawable))
  } catch (error) {
    if (!isOutage(error)) throw error
    log.warn({ err: error }, 'the pool at the venue was not read')
    return null
  }
}
