import { ok, refuse, RefusalError } from '@svc/contract'
import { common } from '@svc/contracts'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { mandateRefuses } from '@svc/contracts/mandates/approvals'
import type { BoundHandler, Call } from '@svc/service'
import type { Context } from '#context.ts'
import { requireOn } from '#legs/require-leg.ts'
import type { Leg } from '#legs/store/legs.ts'
import type { PaidContext } from '#venue/pay-ahead.ts'
import { claimOrder, sameOrder, standingFor, type Asked, type Before, type Planned } from '../claim-order.ts'
import { judgePlan, readMandate, refuseUnknownMarket } from '../judge-order.ts'
import { answerKnown, answerNow, takeOverLeft } from '../known-order.ts'
import { legForOrders } from '../leg-for-orders.ts'
import { moveNow } from '../move-collateral.ts'
import { requestOf, type OrderRequest } from '../order-request.ts'
import { dryAnswer } from '../order-view.ts'
import { prepayOrder } from '../prepay-order.ts'
import { freeOf } from '../read-scene.ts'
import { marginMove } from '../rules/margin.ts'
import { sendOrder } from '../send-order.ts'
import { dropOrder, releaseOrder, type LegOrder } from '../store/orders.ts'

/** Places an order of a mandate. The same key answers with what became of the order that it made first. */
export const placeLegOrder: BoundHandler<Context, typeof hlLeg.operations.placeLegOrder> =
  (context) => async (input, call) => {
    // Admit: the mandate decides first whether the caller may know anything else.
    requireOn(context)
    const request = requestOf(input, call, context.settings)
    const mandate = await readMandate(context, request)
    const standing = await standingFor(context, request)
    const known = standing.known && !request.dryRun ? await sameOrder(context, request) : null
    if (known !== null && known.state !== 'judging') return answerKnown(context, call, known)
    const taken = known === null ? null : await takeOverLeft(context, call, known)
    return makeOrder(context, call, { mandate, request }, { taken, standing: taken === null ? standing : null })
  }

/** Plans an order, stores it, has it judged, signs and sends it, and answers with what became of it. */
async function makeOrder(context: Context, call: Call, { mandate, request }: Omit<Asked, 'leg'>, before: Before) {
  const { pool } = context
  const { taken } = before
  let row = taken
  let paid: PaidContext | null = null
  try {
    // Plan and store: from here on the order is this call's until it is signed, or for 30 s.
    const leg = await legForOrders(context, request.publicId, { closing: request.reduceOnly })
    paid = await prepayOrder(context, request)
    const claim = await claimOrder(paid.context, { leg, mandate, request }, before)
    if (claim === null) return await refuseUnknownMarket(context, request, taken)
    if ('known' in claim) return await answerKnown(context, call, claim.known)
    const { planned, order } = claim
    row = order ?? taken

    // Judge: mandates reserves the amount of an open, holds it, or records the refusal.
    const judged = await judgePlan(context, request, planned, { row, taken })
    if (judged.outcome !== 'passes' && row !== null) await dropOrder(pool, row)
    if (judged.outcome === 'held' && judged.approval !== null) return heldAnswer(request, judged.approval, judged)
    if (judged.outcome !== 'passes')
      return refuse(mandateRefuses, judged.judgement.fix ?? undefined, { refusal: judged.judgement })
    if (order === null) return dryAnswer(planned, request, judged)

    // Sign, send, follow and report: the row has an end once it is certain what became of it.
    await moveMargin(paid.context, leg, planned)
    const { judgement, terms_hash: termsHash, usage } = judged
    const { asset } = planned.scene.market
    const sending = { leg, order, asset, request, judged: { judgement, termsHash, usage } }
    const sent = await sendOrder(paid.context, sending)
    return sent.state === 'judging' ? refuse(common.idempotencyInFlight) : await answerNow(context, sent)
  } catch (error) {
    // A repetition of the key does not wait for this call, which can sign nothing any more.
    if (row !== null)
      await releaseOrder(pool, row).catch((err: unknown) => call.log.warn({ err }, 'an order stays claimed'))
    return madeMeanwhile(context, call, request, { error, row, taken })
  } finally {
    paid?.giveBack()
  }
}

/**
 * Answers a refused call with the order that another call of its key made meanwhile: it was planned by the state that this
 * order left. Rejects with the error if there is none.
 */
async function madeMeanwhile(context: Context, call: Call, request: OrderRequest, { error, row, taken }: Failed) {
  if (!(error instanceof RefusalError) || taken !== null || request.dryRun) throw error
  const known = await sameOrder(context, request)
  if (known === null || known.id === row?.id) throw error
  return answerKnown(context, call, known)
}

/** Why a call failed, its row, and the row of a former call. */
interface Failed {
  readonly error: unknown
  readonly row: LegOrder | null
  readonly taken: LegOrder | null
}

/** Answers that the owner has to approve an order first. */
function heldAnswer<A, J>(
  { publicId: public_id }: OrderRequest,
  approval: A,
  { judgement }: { readonly judgement: J },
) {
  return ok(202, { ok: true as const, code: 'pending_approval' as const, public_id, approval, judgement })
}

/** Moves the margin that an open on another dex lacks. If that fails, the venue refuses the order. */
async function moveMargin(context: Context, leg: Leg, { scene, plan, leverage }: Planned): Promise<void> {
  if (leverage === null) return
  const order = { dex: scene.market.dex, notionalUsdc: plan.notionalUsdc, leverage }
  const move = marginMove(order, freeOf(scene))
  if (move !== null) await moveNow(context, leg, move)
}
