import type { LegReceipt } from '@svc/contracts/hl-leg/order-schemas'
import type { MandateUsage } from '@svc/contracts/mandates/usage'
import { isOutage, RemoteRefusal } from '@svc/service'
import type { Context } from '#context.ts'
import { storeTold, type LegOrder } from './store/orders.ts'

/** Pause before mandates is told again, or the receipt is asked for again. */
const AGAIN_MS = 5_000

type Teller = Pick<Context, 'pool' | 'clock' | 'mandates' | 'identity' | 'log'>

/** What mandates and identity answer about an order: the usage since, and the signed receipt; null instead of an outage. */
export interface Telling {
  readonly usage: Promise<MandateUsage | null>
  readonly receipt: Promise<string | null>
}

/**
 * Begins to tell mandates what became of an order, and to have its receipt signed. Both may begin before the resolution is
 * stored: executions that are all read are final at the venue, so a process that finds out again tells and signs the same.
 */
export function beginTelling(context: Teller, order: LegOrder): Telling {
  const telling = {
    usage: orNull(context, () => tell(context, order)),
    receipt: orNull(context, () => signReceipt(context, order)),
  }
  // Nobody awaits them if storing fails.
  telling.usage.catch(() => {})
  telling.receipt.catch(() => {})
  return telling
}

/** Returns true if mandates knows the end of an order, and its receipt is signed if it has one. */
export const isTold = ({ toldAt, signer, receipt }: LegOrder): boolean =>
  toldAt !== null && (signer === null || receipt !== null)

/** Tells mandates what became of an order and has its receipt signed; stores both. What an outage leaves undone is left to the job. */
export async function tellMandates(context: Teller, order: LegOrder): Promise<LegOrder> {
  const { told, stored } = await hearOf(context, order)
  await stored
  return told
}

/** An order with what mandates and identity answered; `stored` resolves when it is stored. */
interface Heard {
  readonly told: LegOrder
  readonly stored: Promise<void>
}

/** Tells mandates what became of an order and has its receipt signed. `begun` is what was begun already. */
export async function hearOf(context: Teller, order: LegOrder, begun: Telling | null = null): Promise<Heard> {
  const { pool, clock } = context
  const [usage, receipt] = await Promise.all([
    order.toldAt === null ? (begun?.usage ?? orNull(context, () => tell(context, order))) : null,
    order.receipt === null ? (begun?.receipt ?? orNull(context, () => signReceipt(context, order))) : null,
  ])
  const now = clock.now()
  const heard = { at: usage === null ? null : now, usage, receipt }
  const told = {
    ...order,
    toldAt: order.toldAt ?? heard.at,
    usage: usage ?? order.usage,
    receipt: order.receipt ?? receipt,
  }
  return { told, stored: storeTold(pool, order.id, heard, new Date(now.getTime() + AGAIN_MS)) }
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
