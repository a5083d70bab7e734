import { setImmediate as immediate } from 'node:timers/promises'
import { ok, refuse, RefusalError } from '@svc/contract'
import { common } from '@svc/contracts'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { mandateRefuses } from '@svc/contracts/mandates/approvals'
import type { BoundHandler, Call } from '@svc/service'
import type { Context } from '#context.ts'
import { requireOn } from '#legs/require-leg.ts'
import type { Leg } from '#legs/store/legs.ts'
import { barOf } from '#legs/store/open-bars.ts'
import {
  claimOrder,
  hasExpired,
  JUDGING_MS,
  sameOrder,
  standingFor,
  type Asked,
  type NewClaim,
  type Planned,
} from '../claim-order.ts'
import { followOrder } from '../follow-order.ts'
import { judgeOrder, readMandate, wasLet } from '../judge-order.ts'
import { prepayOrder } from '../prepay-order.ts'
import { legForOrders } from '../leg-for-orders.ts'
import { moveNow } from '../move-collateral.ts'
import { requestOf, type OrderRequest } from '../order-request.ts'
import { answerOf, dryAnswer, requireKey } from '../order-view.ts'
import { freeOf } from '../read-scene.ts'
import { marginMove } from '../rules/margin.ts'
import { signOrder, storeBytes, type SignedBytes } from '../sign-order.ts'
import { abandonOrder, dropOrder, postpone, releaseOrder, takeOver, type LegOrder } from '../store/orders.ts'
import type { Standing } from '../store/standing.ts'
import { beginTelling, hearOf, isTold, type Telling } from '../tell-mandates.ts'

/** Requests to the venue that a call spends on finding out what became of an order. */
const STEPS = 3

export const placeLegOrder: BoundHandler<Context, typeof hlLeg.operations.placeLegOrder> =
  (context) => async (input, call) => {
    requireOn(context)
    const request = requestOf(input, call, context.settings)
    // Asked at the same time; the mandate decides first whether the caller may know anything else.
    const mandate = readMandate(context, request)
    mandate.catch(() => {})
    // A caller that was let act a moment ago has the venue paid for, and read before mandates answers; nobody else has.
    const isKnown = wasLet(request)
    const [stood, bound, paid] = await Promise.allSettled([
      standingFor(context, request),
      legForOrders(context, request.publicId, { closing: request.reduceOnly }),
      isKnown ? prepayOrder(context, request) : null,
    ])
    const prepaid = await resultOf(paid)
    try {
      const isNew = stood.status === 'fulfilled' && !stood.value.known && bound.status === 'fulfilled'
      if (!isNew || !isKnown) await mandate
      const standing = await resultOf(stood)
      const same = standing.known && !request.dryRun ? await sameOrder(context, request) : null
      const { answer, taken } = await goneOn(context, call, same)
      if (answer !== null) return answer
      return await makeOrder(prepaid?.context ?? context, call, { mandate, request }, { bound, standing, taken })
    } finally {
      prepaid?.giveBack()
    }
  }

/** What was read before an order is made; `taken` is the one that was taken over from a former attempt. */
interface Stood {
  readonly bound: PromiseSettledResult<Leg>
  readonly standing: Standing
  readonly taken: LegOrder | null
}

/** Plans an order, stores it and carries it out. */
async function makeOrder(
  context: Context,
  call: Call,
  { mandate, request }: Omit<Asked, 'leg'>,
  { bound, standing, taken }: Stood,
) {
  let order = taken
  try {
    const asked = { leg: await resultOf(bound), mandate, request }
    const claim = await claimOrder(context, asked, { taken, standing: taken === null ? standing : null })
    if (claim === null) return await unknownMarket(context, request, taken)
    if ('known' in claim) return (await goneOn(context, call, claim.known)).answer ?? answerOf(claim.known)
    order = claim.order ?? taken
    return await carryOut(context, call, asked, { ...claim, taken })
  } catch (error) {
    // A repetition of the key does not wait for this call, which can sign nothing any more.
    if (order !== null) await releaseOrder(context.pool, order).catch(() => {})
    return await madeMeanwhile(context, call, request, { error, taken })
  }
}

/**
 * Answers a refused call with the order that another call of its key made meanwhile: it was planned by the state that this
 * order left. Rejects with the error if there is none.
 */
async function madeMeanwhile(
  context: Context,
  call: Call,
  request: OrderRequest,
  { error, taken }: { readonly error: unknown; readonly taken: LegOrder | null },
) {
  if (!(error instanceof RefusalError) || taken !== null || request.dryRun) throw error
  const known = await sameOrder(context, request)
  if (known === null) throw error
  return (await goneOn(context, call, known)).answer ?? refuse(common.idempotencyInFlight)
}

/** A claim, and the order whose row a former attempt left. */
interface Attempt extends NewClaim {
  readonly taken: LegOrder | null
}

/** Has a planned order judged, signs it, sends it and answers with what became of it. */
async function carryOut(context: Context, call: Call, asked: Asked, attempt: Attempt) {
  const { leg, request } = asked
  const { planned, order } = attempt
  const asset = planned.scene.market.asset
  // Signed meanwhile: the bytes of an order that does not pass are discarded, and no other order gets its nonce.
  const [judged, [ahead]] = await Promise.all([
    judge(context, request, attempt),
    Promise.allSettled([order === null ? null : signAhead(context, { leg, order, asset })]),
  ])
  if (judged.outcome !== 'passes') await dropRow(context, attempt)
  if (judged.outcome === 'held' && judged.approval !== null) {
    const { approval, judgement } = judged
    return ok(202, {
      ok: true as const,
      code: 'pending_approval' as const,
      public_id: request.publicId,
      approval,
      judgement,
    })
  }
  if (judged.outcome !== 'passes')
    return refuse(mandateRefuses, judged.judgement.fix ?? undefined, { refusal: judged.judgement })
  if (order === null) return dryAnswer(planned, request, judged)

  await moveMargin(context, leg, planned)
  const { judgement, terms_hash: termsHash, usage } = judged
  const bytes = await resultOf(ahead)
  const signed =
    (await endExpired(context, request, order)) ??
    (await storeBytes(context, { leg, order, asset }, bytes, { judgement, termsHash, usage })) ??
    (await endBarred(context, order))
  if (signed?.state === 'signed') return follow(context, call, signed, true)
  if (signed !== null) return finish(context, call, signed)
  const other = await sameOrder(context, request)
  return (await goneOn(context, call, other)).answer ?? refuse(common.idempotencyInFlight)
}

/** Signs an order once the question to mandates has left. */
async function signAhead(...[context, toSign]: Parameters<typeof signOrder>): Promise<SignedBytes> {
  await immediate()
  return signOrder(context, toSign)
}

/** Ends an order whose time has passed while it was judged; null for one that may be signed. */
async function endExpired({ pool, clock }: Context, request: OrderRequest, order: LegOrder): Promise<LegOrder | null> {
  if (!hasExpired(request, clock.now())) return null
  return pool.transaction((tx) => abandonOrder(tx, order, clock.now()))
}

/** Ends an open that may not be signed because opens were barred after the account was read; null for any other order. */
async function endBarred({ pool, clock }: Context, order: LegOrder): Promise<LegOrder | null> {
  if (!order.opening || (await barOf(pool, order.publicId)) === null) return null
  return pool.transaction((tx) => abandonOrder(tx, order, clock.now()))
}

/** Deletes the row of an attempt of which mandates holds no reservation. */
async function dropRow({ pool }: Context, { order, taken }: Pick<Attempt, 'order' | 'taken'>): Promise<void> {
  const row = order ?? taken
  if (row !== null) await dropOrder(pool, row)
}

const resultOf = <T>(settled: PromiseSettledResult<T>): Promise<T> =>
  settled.status === 'fulfilled' ? Promise.resolve(settled.value) : Promise.reject(settled.reason)

/**
 * Goes on with the order that a request names: it is answered as stored, or looked after once more. Answers null if the
 * request may make an order: there is none, or the call that judged one has ended and its row is taken over.
 */
async function goneOn(context: Context, call: Call, known: LegOrder | null) {
  if (known === null) return { answer: null, taken: null }
  if (known.state === 'judging') {
    const from = call.now.getTime()
    const [before, nextAt] = [new Date(from - JUDGING_MS), new Date(from + JUDGING_MS)]
    const taken = await takeOver(context.pool, known, before, call.now, nextAt)
    return taken === null ? refuse(common.idempotencyInFlight) : { answer: null, taken }
  }
  if (known.state === 'signed') return { answer: await follow(context, call, known, false), taken: null }
  call.markReplayed()
  if (!isTold(known)) return { answer: await finish(context, call, known), taken: null }
  await requireKey(context, known)
  return { answer: answerOf(known), taken: null }
}

/** Sends a signed order, or looks after it, and answers with what became of it. */
async function follow(context: Context, call: Call, order: LegOrder, first: boolean) {
  let telling: Telling | null = null
  const onExecuted = (executed: LegOrder) => void (telling = beginTelling(context, executed))
  const followed = await followOrder(context, order, { first, steps: STEPS, onExecuted })
  return finish(context, call, followed, telling)
}

/**
 * Answers with what became of an order, after mandates was told; leaves an unresolved one to the job. Nobody waits until it is
 * stored that mandates was told: until then, a repetition of the key and the job tell it again, with the same result.
 */
async function finish(context: Context, call: Call, order: LegOrder, telling: Telling | null = null) {
  if (order.resolvedAt === null)
    return call.effect(async (tx) => {
      await postpone(tx, order.id, call.now)
      return answerOf(order)
    })
  const { told, stored } = await hearOf(context, order, telling)
  stored.catch((error: unknown) => call.log.warn({ err: error }, 'an order will be told to mandates once more'))
  await requireKey(context, told)
  return answerOf(told)
}

/** Asks mandates, which reserves the amount of an open, holds it, or records the refusal. */
async function judge(context: Context, request: OrderRequest, attempt: Attempt) {
  const { plan, guards, worthLowUsdc } = attempt.planned
  const { opening, notionalUsdc, lossUsdc } = plan
  try {
    return await judgeOrder(context, request, { opening, notionalUsdc, lossUsdc, worthLowUsdc, guards })
  } catch (error) {
    // A refusal reserved nothing; of a former attempt mandates may hold a reservation, as after an outage. Then the row stays,
    // and the job ends both.
    if (error instanceof RefusalError && attempt.taken === null) await dropRow(context, attempt)
    throw error
  }
}

/** Judges an order of a market that the venue does not have: the mandate may have a reason of its own to refuse it. */
async function unknownMarket(context: Context, request: OrderRequest, taken: LegOrder | null): Promise<never> {
  const fix = 'Choose a market of GET /hub/markets: the venue does not have this one.'
  const guards = [{ code: 'venue_rule', limit: null, attempted: request.market, fix }] as const
  const notionalUsdc = request.amountUsdc ?? '0'
  const judged = { opening: true, notionalUsdc, lossUsdc: '0', worthLowUsdc: null, guards }
  const { judgement } = await judgeOrder(context, request, judged)
  await dropRow(context, { order: null, taken })
  return refuse(mandateRefuses, judgement.fix ?? fix, { refusal: judgement })
}

/** Moves the margin that an open on another dex lacks. If that fails, the venue refuses the order. */
async function moveMargin(context: Context, leg: Leg, { scene, plan, leverage }: Planned): Promise<void> {
  if (leverage === null) return
  const order = { dex: scene.market.dex, notionalUsdc: plan.notionalUsdc, leverage }
  const move = marginMove(order, freeOf(scene))
  if (move !== null) await moveNow(context, leg, move)
}
