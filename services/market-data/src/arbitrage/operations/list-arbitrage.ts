import { ok } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import { CONFLICTS_SHOWN } from '@svc/contracts/market-data/arbitrage'
import type { BoundHandler } from '@svc/service'
import { passAnswer } from '../pass-answer.ts'
import type { Context } from '#context.ts'

export const listArbitrage: BoundHandler<Context, typeof marketData.operations.listArbitrage> =
  ({ pool }) =>
  async (input, call) => {
    const { head, result, page } = await passAnswer(pool, call.now, input, 'two')
    const conflicts = (result?.conflicts ?? []).filter((one) => input.asset === undefined || one.asset === input.asset)
    return ok(200, {
      ...head,
      items: page,
      conflicts: conflicts.slice(0, CONFLICTS_SHOWN),
      conflicts_total: result?.conflicts_total ?? 0,
    })
  }
