import { ok } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { openedBalance } from '../move-cherry.ts'
import { balanceOf, rewardsOf } from '../store/ledger.ts'

export const miningBalance: BoundHandler<Context, typeof subscriptions.operations.miningBalance> =
  ({ pool, kindOf }) =>
  async ({ account_id, limit }, call) => {
    const known = await balanceOf(pool, account_id)
    if (known === null) {
      const kind = await kindOf(account_id)
      return call.effect(async (tx) =>
        ok(200, { balance: kind === null ? 0 : await openedBalance(tx, account_id, kind, call.now), rewards: [] }),
      )
    }
    const rewards = (await rewardsOf(pool, account_id, limit)).map(
      ({ transfer_id, reference, amount, created_at }) => ({
        transfer_id,
        submission_id: reference,
        amount,
        created_at,
      }),
    )
    return ok(200, { balance: known, rewards })
  }
