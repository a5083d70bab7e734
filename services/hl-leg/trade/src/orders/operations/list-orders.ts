import { ok } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { callerOf, type BoundHandler } from '@svc/service'
import { principalOf } from '#account/principal-of.ts'
import type { Context } from '#context.ts'
import { ownOrderView } from '../order-view.ts'
import { idOf, pageOf } from '../order-page.ts'
import { listTrades } from '../store/trade-orders.ts'

export const listOrders: BoundHandler<Context, typeof hlTrade.operations.listOrders> =
  (context) =>
  async ({ mode = null, state = null, limit, cursor }, call) => {
    const principal = await principalOf(context, callerOf(call))
    if ('refusal' in principal) return ok(200, { items: [], next_cursor: null })
    const before = cursor === undefined ? null : idOf(cursor)
    const orders = await listTrades(context.pool, principal, { mode, state }, { before, limit: limit + 1 })
    const { items, next_cursor } = pageOf(orders, limit)
    return ok(200, { items: items.map(ownOrderView), next_cursor })
  }
