import { ok, refuse } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { unknownOrder } from '@svc/contracts/hl-trade/orders'
import { callerOf, type BoundHandler } from '@svc/service'
import { principalOf } from '#account/principal-of.ts'
import type { Context } from '#context.ts'
import { ownOrderView } from '../order-view.ts'
import { tradeById } from '../store/trade-orders.ts'

export const readOrder: BoundHandler<Context, typeof hlTrade.operations.readOrder> =
  (context) =>
  async ({ order_id }, call) => {
    const principal = await principalOf(context, callerOf(call))
    const order = 'refusal' in principal ? null : await tradeById(context.pool, principal, order_id)
    return order === null ? refuse(unknownOrder) : ok(200, ownOrderView(order))
  }
