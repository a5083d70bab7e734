import { ok } from '@svc/contract'
import type { mining } from '@svc/contracts/mining'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { currentPrice, insertPrice } from '../store/prices.ts'

export const setPrices: BoundHandler<Context, typeof mining.operations.setPrices> = () => async (input, call) =>
  call.effect(async (tx) => {
    const standing = await currentPrice(tx)
    const price =
      standing.payout_point_price === input.payout_point_price
        ? standing
        : await insertPrice(tx, input.payout_point_price, callerOf(call).account_id, call.now)
    return ok(200, { ok: true as const, ...price })
  })
