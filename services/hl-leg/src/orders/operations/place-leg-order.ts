import { ok, refuse, RefusalError } from '@svc/contract'
import { common } from '@svc/contracts'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { mandateRefuses } from '@svc/contracts/mandates/approvals'
import type { BoundHandler, Call } from '@svc/service'
import type { Context } from '#context.ts'
import { requireOn } from '#legs/require-leg.ts'
import type { Leg } from '#legs/store/legs.ts'
import { barOf } from '#legs/store/open-bars.ts'
import { claimOrder, JUDGING_MS, sameOrder, type Asked, type NewClaim, type Planned } from '../claim-order.ts'
import { followOrder } from '../follow-order.ts'
import { judgeOrder, readMandate } from '../judge-order.ts'
import { legForOrders } from '../leg-for-orders.ts'
import { moveNow } from '../move-collateral.ts'
import { requestOf, type OrderRequest } from '../order-request.ts'
import { answerOf, dryAnswer } from '../order-view.ts'
import { freeOf } from '../read-scene.ts'
import { marginMove } from '../rules/margin.ts'
import { signOrder } from '../sign-order.ts'
import { abandonOrder, dropOrder, postpone, releaseOrder, takeOver, type LegOrder } from '../store/orders.ts'
import { tellMandates } from '../tell-mandates.ts'

/** Requests to the venue that a call spends on finding out what became of an order. */
const STEPS = 3

export const placeLegOrder: BoundHandler<Context, typeof hlLeg.operations.placeLegOrder> =
  (context) => async (input, call) => {
    requireOn(context)
    const request = requestOf(input, call, context.settings)
    // Asked at the same time; the mandate decides first whether the caller may know anything else.
    const [allowed, same, bound] = await Promise.allSettled([
      readMandate(context, request),
      request.dryRun ? null : sameOrder(context, request),
      legForOrders(context, request.publicId, { closing: request.reduceOnly }),
    ])
    const mandate = await resultOf(allowed)
    const known = await goneOn(context, call, await resultOf(same))
    if (known !== null) return known
    const leg = await resultOf(bound)
    const claim = await claimOrder(context, { leg, mandate, request })
    if (claim === null) return unknownMarket(context, request)
    if ('known' in claim) return (await goneOn(context, call, claim.known)) ?? answerOf(claim.known)

    try {
      return await carryOut(context, call, { leg, mandate, request }, claim)
    } catch (error) {
      // A repetition of the key does not wait for this call, which can sign nothing any more.
      if (claim.order !== null) await releaseOrder(context.pool, claim.order).catch(() => {})
      throw error
    }
  }

/** Has a planned order judged, signs it, sends it and answers with what became of it. */
async function carryOut(context: Context, call: Call, asked: Asked, { planned, order }: NewClaim) {
  const { leg, request } = asked
  const judged = await judge(context, request, planned, order)
  if (judged.outcome !== 'passes' && order !== null) await dropOrder(context.pool, order)
  if (judged.outcome === 'held' && judged.approval !== null) {
    const { approval, judgement } = judged
    return ok(202, { code: 'pending_approval' as const, public_id: request.publicId, approval, judgement })
  }
  if (judged.outcome !== 'passes')
    return refuse(mandateRefuses, judged.judgement.fix ?? undefined, { refusal: judged.judgement })
  if (order === null) return dryAnswer(planned, judged)

  await moveMargin(context, leg, planned)
  const { judgement, terms_hash: termsHash, usage } = judged
  const asset = planned.scene.market.asset
  const signed = await context.pool.transaction(async (tx) =>
    // The stop line may have barred opens since the account was read.
    order.opening && (await barOf(tx, order.publicId)) !== null
      ? abandonOrder(tx, order, context.clock.now())
      : signOrder(context, tx, { leg, order, asset }, { judgement, termsHash, usage }),
  )
  if (signed?.state === 'signed')
    return finish(context, call, await followOrder(context, signed, { first: true, steps: STEPS }))
  if (signed !== null) return finish(context, call, signed)
  const other = await sameOrder(context, request)
  return (await goneOn(context, call, other)) ?? refuse(common.idempotencyInFlight)
}

const resultOf = <T>(settled: PromiseSettledResult<T>): Promise<T> =>
  settled.status === 'fulfilled' ? Promise.resolve(settled.value) : Promise.reject(settled.reason)

/**
 * Goes on with the order that a request names: it is answered as stored, or looked after once more. Returns null if the
 * request may make an order: there is none, or the call that judged one has ended.
 */
async function goneOn(context: Context, call: Call, known: LegOrder | null) {
  if (known === null) return null
  if (known.state === 'judging') {
    if (await takeOver(context.pool, known, new Date(call.now.getTime() - JUDGING_MS))) return null
    return refuse(common.idempotencyInFlight)
  }
  if (known.state === 'signed')
    return finish(context, call, await followOrder(context, known, { first: false, steps: STEPS }))
  call.markReplayed()
  return answerOf(known)
}

/** Answers with what became of an order, after mandates was told; leaves an unresolved one to the job. */
async function finish(context: Context, call: Call, order: LegOrder) {
  if (order.resolvedAt === null)
    return call.effect(async (tx) => {
      await postpone(tx, order.id, call.now)
      return answerOf(order)
    })
  return answerOf(await tellMandates(context, order))
}

/** Asks mandates, which reserves the amount of an open, holds it, or records the refusal. */
async function judge(context: Context, request: OrderRequest, planned: Planned, order: LegOrder | null) {
  const { plan, guards, worthLowUsdc } = planned
  const { opening, notionalUsdc, lossUsdc } = plan
  try {
    return await judgeOrder(context, request, { opening, notionalUsdc, lossUsdc, worthLowUsdc, guards })
  } catch (error) {
    // A refusal reserved nothing. After an outage the row stays, since mandates may have reserved the amount.
    if (order !== null && error instanceof RefusalError) await dropOrder(context.pool, order)
    throw error
  }
}

/** Judges an order of a market that the venue does not have: the mandate may have a reason of its own to refuse it. */
async function unknownMarket(context: Context, request: OrderRequest): Promise<never> {
  const fix = 'Choose a market of GET /hub/markets: the venue does not have this one.'
  const guards = [{ code: 'venue_rule', limit: null, attempted: request.market, fix }] as const
  const notionalUsdc = request.amountUsdc ?? '0'
  const judged = { opening: true, notionalUsdc, lossUsdc: '0', worthLowUsdc: null, guards }
  const { judgement } = await judgeOrder(context, request, judged)
  return refuse(mandateRefuses, judgement.fix ?? fix, { refusal: judgement })
}

/** Moves the margin that an open on another dex lacks. If that fails, the venue refuses the order. */
async function moveMargin(context: Context, leg: Leg, { scene, plan }: Planned): Promise<void> {
  if (!plan.opening) return
  const { market, position } = scene
  const order = { dex: market.dex, notionalUsdc: plan.notionalUsdc, leverage: position?.leverage ?? null }
  const move = marginMove({ ...order, maxLeverage: market.maxLeverage }, freeOf(scene))
  if (move !== null) await moveNow(context, leg, move)
}
