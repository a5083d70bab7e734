import { ok } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import { tiers } from '@svc/contracts/subscriptions/tiers'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { targetList } from '../target-list.ts'

export const listTargets: BoundHandler<Context, typeof marketData.operations.listTargets> =
  (context) => async (_input, call) => {
    const { account_id, tier } = callerOf(call)
    return ok(200, { limit: tiers[tier].targets, ...(await targetList(context, account_id, call.now)) })
  }
