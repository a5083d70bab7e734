import type { hlTrade } from '@svc/contracts/hl-trade'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { requestOf } from '#orders/trade-request.ts'
import { placeOrder } from '../place-order.ts'

export const placePageOrder: BoundHandler<Context, typeof hlTrade.operations.placePageOrder> =
  (context) => async (input, call) => {
    const { mode_seen: modeSeen } = input
    const request = requestOf(input, call, context.settings, { door: 'pages', route: 'page', mode: modeSeen })
    return placeOrder(context, call, { bound: request, modeSeen, make: async () => request })
  }
