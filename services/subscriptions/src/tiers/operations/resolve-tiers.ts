import { ok } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { runningTiers } from '../store/subscriptions.ts'

export const resolveTiers: BoundHandler<Context, typeof subscriptions.operations.resolveTiers> =
  ({ pool }) =>
  async (input, call) => {
    const running = new Map((await runningTiers(pool, input.account_ids, call.now)).map((row) => [row.account_id, row]))
    return ok(200, {
      items: input.account_ids.map((account_id) => running.get(account_id) ?? { account_id, tier: 0, ends_at: null }),
    })
  }
