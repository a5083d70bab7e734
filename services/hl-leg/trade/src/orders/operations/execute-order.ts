import { ok, refuse } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { wrongSignMode } from '@svc/contracts/hl-trade/orders'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { confirmedOrder } from '../confirmed-order.ts'
import { executeTrade, rehearseTrade } from '../execute-trade.ts'
import { requireMode } from '../mode-of.ts'
import { answerOf, dryResult } from '../order-view.ts'

export const executeOrder: BoundHandler<Context, typeof hlTrade.operations.executeOrder> =
  (context) => async (input, call) => {
    const order = await confirmedOrder(context, call, 'execute', input.confirm_id)
    if (order.signMode !== 'server') refuse(wrongSignMode)
    if (order.state === 'prepared' && input.mode_seen !== undefined)
      await requireMode(context, order.ownerId, input.mode_seen)
    if (call.isDryRun) {
      const rehearsed = await rehearseTrade(context, order)
      const isNew = rehearsed.state === 'prepared' || rehearsed.state === 'expired'
      return isNew ? ok(200, await dryResult(context, rehearsed)) : answerOf(context, rehearsed)
    }
    if (order.resolvedAt !== null && order.state !== 'expired') call.markReplayed()
    return answerOf(context, await executeTrade(context, order))
  }
