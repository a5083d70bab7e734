import { ok } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import type { BoundHandler } from '@svc/service'
import { passAnswer } from '../pass-answer.ts'
import type { Context } from '#context.ts'

export const listArbitrageReel: BoundHandler<Context, typeof marketData.operations.listArbitrageReel> =
  ({ pool }) =>
  async (input, call) => {
    const { head, page } = await passAnswer(pool, call.now, input, 'reel')
    return ok(200, { ...head, items: page })
  }
