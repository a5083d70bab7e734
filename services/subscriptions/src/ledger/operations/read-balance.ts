import { ok } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import type { BoundHandler } from '@svc/service'
import { accountOf } from '#account-of.ts'
import type { Context } from '#context.ts'
import { openedBalance } from '../move-cherry.ts'
import { balanceOf } from '../store/ledger.ts'

export const readBalance: BoundHandler<Context, typeof subscriptions.operations.readBalance> =
  ({ pool }) =>
  async (_input, call) => {
    const { id: accountId, kind } = accountOf(call)
    const computed_at = call.now.toISOString()
    const known = await balanceOf(pool, accountId)
    if (known !== null) return ok(200, { balance: known, computed_at })
    return call.effect(async (tx) =>
      ok(200, { balance: await openedBalance(tx, accountId, kind, call.now), computed_at }),
    )
  }
