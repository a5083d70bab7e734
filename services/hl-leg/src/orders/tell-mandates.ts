import type { LegReceipt } from '@svc/contracts/hl-leg/order-schemas'
import type { MandateUsage } from '@svc/contracts/mandates/usage'
import { isOutage, RemoteRefusal } from '@svc/service'
import type { Context } from '#context.ts'
import { storeTold, type LegOrder } from './store/orders.ts'

/** Pause before mandates is told again, or the receipt is asked for again. */
const AGAIN_MS = 5_000

type Teller = Pick<Context, 'pool' | 'clock' | 'mandates' | 'identity' | 'log'>

/**
 * Tells mandates what became of an order and has its receipt signed; stores both. `telling` is the answer of mandates if it
 * is being told already. What an outage leaves undone is left to the job.
 */
export async function tellMandates(
  context: Teller,
  order: LegOrder,
  telling: Promise<MandateUsage | null> | null = null,
): Promise<LegOrder> {
  const { pool, clock } = context
  const [usage, receipt] = await Promise.all([
    order.toldAt === null ? (telling ?? tellEnd(context, order)) : null,
    order.receipt === null ? orNull(context, () => signReceipt(context, order)) : null,
  ])
  const now = clock.now()
  const told = { at: usage === null ? null : now, usage, receipt }
  return storeTold(pool, order.id, told, new Date(now.getTime() + AGAIN_MS))
}

/** Tells mandates what became of an order; returns what the mandate uses since, and null instead of an outage. */
export const tellEnd = (context: Teller, order: LegOrder): Promise<MandateUsage | null> =>
  orNull(context, () => tell(context, order))

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
  return {
    version: 1,
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
    status: state === 'filled' || state === 'partial' ? state : 'missed',
    filled_size: order.filledSize,
    average_price: order.averagePrice,
    notional_usdc: order.filledNotionalUsdc,
    fee_usdc: order.feeUsdc,
    fills: order.fills,
    resolved_at: resolvedAt.toISOString(),
  }
}

async function orNull<T>({ log }: Teller, question: () => Promise<T>): Promise<T | null> {
  try {
    return await question()
  } catch (error) {
    if (!isOutage(error) && !(error instanceof RemoteRefusal)) throw error
    log.warn({ err: error }, 'a neighbour does not know yet what became of an order')
    return null
  }
}
