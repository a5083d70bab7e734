import { ok } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { targetList } from '../target-list.ts'

export const readTargets: BoundHandler<Context, typeof marketData.operations.readTargets> =
  (context) =>
  async ({ account_id }, call) =>
    ok(200, await targetList(context, account_id, call.now))
