import { ok } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { countActive } from '../store/targets.ts'

export const countTargets: BoundHandler<Context, typeof marketData.operations.countTargets> =
  ({ pool }) =>
  async ({ account_id }) =>
    ok(200, { active: await countActive(pool, account_id) })
