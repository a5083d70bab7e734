import { ok, refuse } from '@svc/contract'
import { venueRejected } from '@svc/contracts/hl-leg/orders'
import type { LegOrderView } from '@svc/contracts/hl-leg/order-schemas'
import type { OwnOrder, PreparedOrder, TradeResult } from '@svc/contracts/hl-trade/order-schemas'
import type { Context } from '#context.ts'
import { byAmount } from '@svc/venue/by-amount'
import { readCapView } from './caps-of.ts'
import type { Preparation } from './prepare-trade.ts'
import type { NewTrade, TradeOrder } from './store/trade-orders.ts'

type Shown = Pick<
  NewTrade,
  | 'mode'
  | 'cloid'
  | 'state'
  | 'size'
  | 'filledSize'
  | 'averagePrice'
  | 'filledNotionalUsdc'
  | 'feeUsdc'
  | 'worstPrice'
  | 'amountUsdc'
  | 'referencePrice'
>

/** Returns what an order executed, as the API shows it. */
function orderView(order: Shown, oid: number | null): LegOrderView {
  const { state } = order
  return {
    cloid: order.mode === 'paper' ? null : order.cloid,
    oid,
    status: state === 'filled' || state === 'partial' ? state : 'missed',
    size: order.size,
    filled_size: order.filledSize,
    average_price: order.averagePrice,
    notional_usdc: order.filledNotionalUsdc,
    fee_usdc: order.feeUsdc,
    worst_price: order.worstPrice,
    reference_price: order.referencePrice,
    by_amount: byAmount(order),
  }
}

/** What a dry run shows of an order that is new or prepared. */
type Rehearsed = Shown & Pick<NewTrade, 'notionalUsdc' | 'estimate' | 'judgement' | 'ownerId' | 'accountId' | 'door'>

/** What a dry run shows in place of an execution: the order at its reference price. */
const dryView = (order: Rehearsed): LegOrderView => ({
  ...orderView(order, null),
  cloid: null,
  status: 'dry_run',
  filled_size: '0',
  average_price: null,
  notional_usdc: order.notionalUsdc,
  fee_usdc: order.estimate.fee_usdc,
})

/** Returns a prepared order as the API shows it; `postTo` is where a key in the browser posts its action. */
export function preparedView(preparation: Preparation, postTo: string): PreparedOrder {
  const { order, kind } = preparation
  const isDry = kind === 'dry'
  const client = order.clientAction
  return {
    order_id: isDry ? null : order.orderId,
    confirm_id: isDry || order.by === 'agent' ? null : order.confirmId,
    sign_mode: order.signMode,
    typed_data: client?.typed_data ?? null,
    action: client?.action ?? null,
    nonce: client?.nonce ?? null,
    expires_after: client?.expires_after ?? null,
    post_to: client === null ? null : postTo,
    estimate: order.estimate,
    judgement: order.judgement,
    requested_by: order.by,
    expires_at: order.mode === 'paper' ? null : order.expiresAt.toISOString(),
    fill: order.mode === 'paper' ? (isDry ? dryView(order) : orderView(order, null)) : null,
  }
}

/** Answers with what became of an order: 202 while nothing is certain, the refusal of the venue, or what was executed. */
export async function answerOf(context: Context, order: TradeOrder) {
  const { state, orderId, cloid, reason, resolvedAt } = order
  if (resolvedAt === null)
    return ok(202, { ok: true as const, code: 'order_unresolved' as const, order_id: orderId, cloid })
  if (state === 'rejected') refuse(venueRejected, reason ?? undefined, { cloid, reason: reason ?? '' })
  return ok(200, await resultView(context, order))
}

/** Returns a resolved order as the API shows it, with the caps that stand now. */
export const resultView = async (context: Context, order: TradeOrder): Promise<TradeResult> => ({
  ok: true,
  order_id: order.orderId,
  order: orderView(order, order.oid),
  position: order.position,
  usage: order.mode === 'paper' ? null : await readCapView(context, context.pool, order),
  judgement: order.judgement,
  receipt: null,
  violation: order.violation,
})

/** Returns an order, whatever became of it, as the API shows it. */
export const ownOrderView = (order: TradeOrder): OwnOrder => ({
  order_id: order.orderId,
  mode: order.mode,
  state: order.state,
  market: order.market,
  side: order.side,
  reduce_only: !order.opening,
  // What expired was never sent.
  order: order.resolvedAt === null || order.state === 'expired' ? null : orderView(order, order.oid),
  reason: order.reason?.slice(0, 500) ?? null,
  violation: order.violation,
  requested_by: order.by,
  agent_id: order.by === 'agent' ? order.accountId : null,
  prepared_at: order.preparedAt.toISOString(),
  resolved_at: order.resolvedAt?.toISOString() ?? null,
})

/** Returns the answer of a dry run that would have executed at once. */
export const dryResult = async (context: Context, order: Rehearsed): Promise<TradeResult> => ({
  ok: true,
  order_id: null,
  order: dryView(order),
  position: null,
  usage: order.mode === 'paper' ? null : await readCapView(context, context.pool, order),
  judgement: order.judgement,
  receipt: null,
  violation: false,
})
