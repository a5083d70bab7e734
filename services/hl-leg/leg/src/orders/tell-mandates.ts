import type { LegReceipt } from '@svc/contracts/hl-leg/order-schemas'
import { isOutage, RemoteRefusal } from '@svc/service'
import type { Context } from '#context.ts'
import { storeTold, type LegOrder } from './store/orders.ts'

/** Pause before mandates is told again, or the receipt is asked for again. */
const AGAIN_MS = 5_000

type Teller = Pick<Context, 'pool' | 'clock' | 'mandates' | 'identity' | 'log'>

/** Returns true if mandates knows the end of an order, and its receipt is signed if it has one. */
export const isTold = ({ toldAt, signer, receipt }: LegOrder): boolean =>
  toldAt !== null && (signer === null || receipt !== null)

/** Tells mandates what became of an order and has its receipt signed; stores both. What an outage leaves undone is left to the job. */
export async function tellMandates(context: Teller, order: LegOrder): Promise<LegOrder> {
  const { pool, clock } = context
  const [usage, receipt] = await Promise.all([
    order.toldAt === null ? orNull(context, () => tell(context, order)) : null,
    order.receipt === null ? orNull(context, () => signReceipt(context, order)) : null,
  ])
  const now = clock.now()
  const heard = { at: usage === null ? null : now, usage, receipt }
  await storeTold(pool, order.id, heard, new Date(now.getTime() + AGAIN_MS))
  return {
    ...order,
    toldAt: order.toldAt ?? heard.at,
    usage: usage ?? order.usage,
    receipt: order.receipt ?? receipt,
  }
}

async function tell({ mandates }: Teller, order: LegOrder) {
  const executed = order.state === 'filled' || order.state === 'partial'
  const { usage } = await mandates.resolveLegOrder({
    public_id: order.publicId,
    order_key: order.orderKey,
    outcome: executed ? 'filled' : 'missed',
    as: order.by === 'return' ? 'owner' : order.by,
    opening: order.opening,
    market: order.market,
    side: order.side,
    cloid: order.cloid,
    oid: order.oid,
    size: order.size,
    filled_size: order.filledSize,
    average_price: order.averagePrice,
    notional_usdc: order.filledNotionalUsdc,
    fee_usdc: order.feeUsdc,
    bad_fill_usdc: order.badFillUsdc,
    at: (order.resolvedAt ?? order.createdAt).toISOString(),
  })
  return usage
}

/** Orders that were never signed have no receipt. */
async function signReceipt({ identity }: Teller, order: LegOrder): Promise<string | null> {
  const receipt = receiptOf(order)
  return receipt === null ? null : (await identity.signLegReceipt({ receipt })).jws
}

/** Returns what the receipt of a resolved order says; null for one that was never signed. */
function receiptOf(order: LegOrder): LegReceipt | null {
  const { nonce, expiresAfter, resolvedAt, state } = order
  if (nonce === null || expiresAfter === null || resolvedAt === null) return null
  const either = {
    mandate: order.publicId,
    network: order.network,
    account: order.account,
    terms_hash: order.termsHash,
    judgement: order.judgement ?? {},
    market: order.market,
    coin: order.coin,
    side: order.side,
    opening: order.opening,
    size: order.size,
    worst_price: order.worstPrice,
    mark_price: order.markPrice,
    readings: order.readings,
    book_time: order.bookTime,
    cloid: order.cloid,
    oid: order.oid,
    nonce,
    expires_after: expiresAfter,
    status: state === 'filled' || state === 'partial' ? state : ('missed' as const),
    filled_size: order.filledSize,
    average_price: order.averagePrice,
    notional_usdc: order.filledNotionalUsdc,
    fee_usdc: order.feeUsdc,
    fills: order.fills,
    resolved_at: endOf(order.fills, resolvedAt).toISOString(),
  }
  // The same order has the same receipt for ever, also one that a release without a reference price planned.
  if (order.referencePrice === null) return { version: 1, ...either }
  return {
    version: 2,
    ...either,
    amount_usdc: order.amountUsdc,
    reference_price: order.referencePrice,
    best_bid: order.bestBid,
    best_ask: order.bestAsk,
  }
}

/** The last execution, by the clock of the venue: the same for every process that finds out what became of the order. */
const endOf = (fills: LegOrder['fills'], resolvedAt: Date): Date =>
  fills.length === 0 ? resolvedAt : new Date(Math.max(...fills.map(({ time }) => time)))

async function orNull<T>({ log }: Teller, question: () => Promise<T>): Promise<T | null> {
  try {
    return await question()
  } catch (error) {
    if (!isOutage(error) && !(error instanceof RemoteRefusal)) throw error
    log.warn({ err: error }, 'a neighbour does not know yet what became of an order')
    return null
  }
}
