import { ok } from '@svc/contract'
import { callerOf, type Call } from '@svc/service'
import type { TradeMode } from '@svc/contracts/hl-trade/order-schemas'
import type { Context } from '#context.ts'
import { executeTrade } from '#orders/execute-trade.ts'
import { requireMode } from '#orders/mode-of.ts'
import { answerOf, dryResult, preparedView, resultView } from '#orders/order-view.ts'
import { orderOfKey, prepareTrade, type Preparation } from '#orders/prepare-trade.ts'
import type { TradeRequest } from '#orders/trade-request.ts'

/** An order of a trade page: the key that it is bound to, and how the order is made if the key has none. */
export interface PageOrder {
  readonly bound: Pick<TradeRequest, 'accountId' | 'orderKey' | 'hash'>
  readonly modeSeen: TradeMode
  readonly make: () => Promise<TradeRequest>
}

/**
 * Places an order of a trade page in one call: paper is filled, live is signed with the order key and sent, or offered to
 * the key in the browser (202). Refuses with `mode_changed` unless the page showed the mode that stands; a key that has an
 * order gets that order whatever the mode.
 */
export async function placeOrder(context: Context, call: Call, { bound, modeSeen, make }: PageOrder) {
  const known = await orderOfKey(context, bound)
  if (known !== null) return carryOut(context, call, { kind: 'stored', order: known, replayed: true })
  await requireMode(context, callerOf(call).account_id, modeSeen)
  return carryOut(context, call, await prepareTrade(context, await make(), call))
}

async function carryOut(context: Context, call: Call, preparation: Preparation) {
  if (preparation.kind === 'dry') return ok(200, await dryResult(context, preparation.order))
  const { order, replayed } = preparation
  if (replayed && order.resolvedAt !== null) call.markReplayed()
  if (order.mode === 'paper') return ok(200, await resultView(context, order))
  if (order.state === 'offered')
    return ok(202, {
      ok: true as const,
      code: 'signature_required' as const,
      ...preparedView(preparation, context.venue.urls.exchange),
    })
  return answerOf(context, await executeTrade(context, order))
}
