import { ok } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import type { BoundHandler } from '@svc/service'
import { passAnswer } from '../pass-answer.ts'
import type { Context } from '#context.ts'
import { newestConflicts } from '../store/arbitrage.ts'

export const listArbitrage: BoundHandler<Context, typeof marketData.operations.listArbitrage> =
  ({ pool }) =>
  async ({ asset, profit_usd_min, limit, rejected }, call) => {
    const { head, result, page } = await passAnswer(pool, call.now, { asset, profit_usd_min, limit }, 'two')
    const shown = rejected === 'true'
    // Without a request for them the number is enough, which the pass has.
    const all = shown || asset !== undefined ? await newestConflicts(pool) : []
    const conflicts = asset === undefined ? all : all.filter((one) => one.asset === asset)
    return ok(200, {
      ...head,
      items: page,
      conflicts: shown ? conflicts.slice(0, limit) : [],
      conflicts_total: asset === undefined ? (result?.conflicts_total ?? 0) : conflicts.length,
    })
  }
