import { ok } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { preparedView } from '../order-view.ts'
import { prepareTrade } from '../prepare-trade.ts'
import { requestOf } from '../trade-request.ts'

export const prepareOrder: BoundHandler<Context, typeof hlTrade.operations.prepareOrder> =
  (context) => async (input, call) => {
    const { mode } = input
    const request = requestOf(input, call, context.settings, { door: 'terminal', route: 'order', mode })
    const preparation = await prepareTrade(context, request, call)
    if (preparation.kind === 'stored' && preparation.replayed) call.markReplayed()
    return ok(200, { ok: true, ...preparedView(preparation, context.venue.urls.exchange) })
  }
