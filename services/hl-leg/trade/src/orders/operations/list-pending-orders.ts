import { ok } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import type { PendingOrder } from '@svc/contracts/hl-trade/order-schemas'
import { callerOf, type BoundHandler } from '@svc/service'
import { principalOf } from '#account/principal-of.ts'
import type { Context } from '#context.ts'
import { idOf, pageOf } from '../order-page.ts'
import { pendingTrades, type TradeOrder } from '../store/trade-orders.ts'

export const listPendingOrders: BoundHandler<Context, typeof hlTrade.operations.listPendingOrders> =
  (context) => async (input, call) => {
    const principal = await principalOf(context, callerOf(call))
    if ('refusal' in principal) return ok(200, { items: [], next_cursor: null })
    const { ownerId, agentId } = principal
    const before = input.cursor === undefined ? null : idOf(input.cursor)
    const page = { before, limit: input.limit + 1 }
    const orders = await pendingTrades(context.pool, { ownerId, accountId: agentId }, call.now, page)
    const { items, next_cursor } = pageOf(orders, input.limit)
    return ok(200, { items: items.map((order) => pendingView(order, agentId === null)), next_cursor })
  }

const pendingView = (order: TradeOrder, isOwner: boolean): PendingOrder => ({
  order_id: order.orderId,
  confirm_id: isOwner ? order.confirmId : null,
  sign_mode: order.signMode,
  market: order.market,
  side: order.side,
  reduce_only: !order.opening,
  estimate: order.estimate,
  judgement: order.judgement,
  requested_by: order.by,
  agent_id: order.by === 'agent' ? order.accountId : null,
  public_id: order.publicId,
  prepared_at: order.preparedAt.toISOString(),
  expires_at: order.expiresAt.toISOString(),
})
