import { refuse } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { wrongSignMode } from '@svc/contracts/hl-trade/orders'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { confirmedOrder } from '../confirmed-order.ts'
import { driveTrade } from '../drive-trade.ts'
import { findPosted } from '../find-posted.ts'
import { answerOf } from '../order-view.ts'
import { postSigned } from '../post-signed.ts'
import type { TradeEffect } from '../store/trade-orders.ts'

/** After a record the job leaves an order to further ones for so long. */
const CALL = { steps: 1, pauseMs: 15_000 }

export const recordOrder: BoundHandler<Context, typeof hlTrade.operations.recordOrder> =
  (context) => async (input, call) => {
    const order = await confirmedOrder(context, call, 'record', input.confirm_id)
    if (order.signMode !== 'client') refuse(wrongSignMode)
    if (order.resolvedAt !== null) {
      call.markReplayed()
      return answerOf(context, order)
    }
    if (input.signature !== undefined) await postSigned(context, order, input.signature)
    const find = (row: TradeEffect) => findPosted(context, row)
    return answerOf(context, await driveTrade(context, order.id, { find }, CALL))
  }
