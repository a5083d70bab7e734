import { refuse } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { wrongSignMode } from '@svc/contracts/hl-trade/orders'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#trade/context.ts'
import { confirmedOrder } from '../confirmed-order.ts'
import { executeTrade } from '../execute-trade.ts'
import { requireMode } from '../mode-of.ts'
import { answerOf } from '../order-view.ts'

export const executeOrder: BoundHandler<Context, typeof hlTrade.operations.executeOrder> =
  (context) => async (input, call) => {
    const order = await confirmedOrder(context, call, 'execute', input.confirm_id)
    if (order.signMode !== 'server') refuse(wrongSignMode)
    if (order.state === 'prepared' && input.mode_seen !== undefined)
      await requireMode(context, order.ownerId, input.mode_seen)
    if (order.resolvedAt !== null && order.state !== 'expired') call.markReplayed()
    return answerOf(context, await executeTrade(context, order))
  }
