import { exact, usdcUp } from '@svc/hyperliquid/rounding'
import { ok, refuse } from '@svc/contract'
import { venueRejected } from '@svc/contracts/hl-leg/orders'
import { legRefusals } from '@svc/contracts/hl-leg/refusals'
import type { LegOrderView } from '@svc/contracts/hl-leg/order-schemas'
import type { MandateUsage } from '@svc/contracts/mandates/usage'
import type { RefusalBlockView } from '@svc/contracts/mandates/verdict'
import { byAmount } from '@svc/venue/by-amount'
import { positionView } from '@svc/venue/position-view'
import { marketIdOf } from '@svc/venue/rules/market-id'
import { takerFeeOf } from '@svc/venue/rules/taker-fee'
import type { Planned } from './claim-order.ts'
import type { OrderRequest } from './order-request.ts'
import type { Context } from '#context.ts'
import { readLeg } from '#legs/store/legs.ts'
import type { LegOrder } from './store/orders.ts'

/** Returns what became of a resolved order, as the API shows it. */
function orderView(order: LegOrder): LegOrderView {
  const { state } = order
  return {
    cloid: order.cloid,
    oid: order.oid,
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

/**
 * Answers with an order as stored, so that every repetition gets the same answer: 202 while nothing is certain, the
 * refusal of the venue, or what was executed.
 */
export function answerOf(order: LegOrder) {
  const { state, cloid, publicId, reason } = order
  if (state === 'judging' || state === 'signed')
    return ok(202, { ok: true as const, code: 'order_unresolved' as const, public_id: publicId, cloid })
  if (state === 'rejected') refuse(venueRejected, wordsOf(reason), { cloid, reason: reason ?? '' })
  return ok(200, {
    ok: true as const,
    order: orderView(order),
    position: order.position,
    usage: order.usage,
    judgement: order.judgement,
    receipt: order.receipt,
  })
}

/** What the venue says of a key that it does not know, or not any more. */
const KEY_GONE = /^User or API Wallet 0x\w+ does not exist|pending agent removal|valid_until already expired/i

/**
 * Refuses with the state of the leg if the order found out that the owner revoked its key, or that the key has ended. An order of
 * a leg that was known to have no key has the venue's words.
 */
export async function requireKey({ pool }: Pick<Context, 'pool'>, order: LegOrder): Promise<void> {
  const { state, reason, publicId, createdAt } = order
  if (state !== 'rejected' || reason === null || !KEY_GONE.test(reason)) return
  const leg = await readLeg(pool, publicId)
  const wasBound = leg !== null && (leg.state === 'bound' || leg.stateAt > createdAt)
  if (!wasBound) return
  const until = leg.validUntil
  refuse(until !== null && until <= (order.resolvedAt ?? createdAt) ? legRefusals.expired : legRefusals.revoked)
}

const NO_MARGIN = /^Insufficient margin/

/** The venue's words, with what helps where they do not say it. */
const wordsOf = (reason: string | null): string | undefined =>
  reason !== null && NO_MARGIN.test(reason)
    ? `${reason} Raise the leverage of the market at the venue, ask for less, or free collateral.`
    : (reason ?? undefined)

/** Answers with what a dry run found: the order as it would be sent. */
export function dryAnswer(
  { scene, plan }: Planned,
  { amountUsdc }: Pick<OrderRequest, 'amountUsdc'>,
  { usage, judgement }: { readonly usage: MandateUsage; readonly judgement: RefusalBlockView },
) {
  const { position, reading } = scene
  const fee = usdcUp(exact(plan.notionalUsdc).times(takerFeeOf(scene.market.coin)))
  return ok(200, {
    ok: true as const,
    order: {
      cloid: null,
      oid: null,
      status: 'dry_run' as const,
      size: plan.size,
      filled_size: '0',
      average_price: null,
      notional_usdc: plan.notionalUsdc,
      fee_usdc: fee,
      worst_price: plan.worstPrice,
      reference_price: plan.referencePrice,
      by_amount: byAmount({ amountUsdc, referencePrice: plan.referencePrice, filledSize: '0' }),
    },
    position: positionView(marketIdOf(scene.market.coin), position, reading.readAt),
    usage,
    judgement,
    receipt: null,
  })
}
