import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import { clientIdUsed, nothingToClose, openInFlight, orderExpired, venueAllowance } from '@svc/contracts/hl-leg/orders'
import type { LegMandate } from '@svc/contracts/mandates/leg'
import type { Context } from '#context.ts'
import { foreignForOrder } from './foreign-for-order.ts'
import type { Leg } from '#legs/store/legs.ts'
import { ACTIONS_KEPT, readActionsLeft } from './allowance.ts'
import type { OrderRequest } from './order-request.ts'
import { readingsOf, readScene, type OrderScene } from './read-scene.ts'
import { guardsOf, type Guard } from './rules/guards.ts'
import { requirePlan } from '#venue/require-plan.ts'
import { cloidOf } from './rules/order-keys.ts'
import { planOrder, type Plan } from '#venue/rules/plan-order.ts'
import { takerFeeOf } from '#venue/rules/taker-fee.ts'
import {
  dropOrder,
  findByClientId,
  findOrder,
  hasOpen,
  insertOrder,
  replanOrder,
  type LegOrder,
} from './store/orders.ts'
import { readStanding, type Standing } from './store/standing.ts'
import { worthLow } from './worth-low.ts'

/** How often an open is planned again because another one came between, and how long it waits for that one. */
const ROUNDS = 4
const LOOKS = 15
const LOOK_MS = 100
/** Time after which a refused open may be repeated. */
const RETRY_MS = 2_000
/** A call that judges an order for so long has ended. */
export const JUDGING_MS = 30_000

/** An order that was planned from a reading. */
export interface Planned {
  readonly scene: OrderScene
  readonly plan: Plan
  /** Why an open must not be sent, beyond the clauses. */
  readonly guards: readonly Guard[]
  /** Lower worth of the mandate, USDC; null for a close, and if it is unknown. */
  readonly worthLowUsdc: string | null
}

/**
 * What a request led to: the order that its key has already, or a plan with the order that was stored for it. Nothing is
 * stored for a plan that guards forbid, nor in a dry run.
 */
export type Claim = { readonly known: LegOrder } | NewClaim
export interface NewClaim {
  readonly planned: Planned
  readonly order: LegOrder | null
}

/** Who asks, and for which leg. */
export interface Asked {
  readonly leg: Leg
  /** Its refusal comes before any other. */
  readonly mandate: Promise<LegMandate>
  readonly request: OrderRequest
}

/** What was found before an order is planned. */
export interface Before {
  /** An order that was taken over from a former attempt: its row gets the new plan. */
  readonly taken: LegOrder | null
  /** How the leg stood a moment ago; null reads it. */
  readonly standing: Standing | null
}

/**
 * Plans an order and stores it, so that nothing of it can happen twice. An open waits a moment for the open before it
 * and plans from a reading that began after that one ended; a close waits for nothing. Returns null for a market that the
 * venue does not have.
 */
export async function claimOrder(context: Context, asked: Asked, { taken, standing }: Before): Promise<Claim | null> {
  const { pool, clock } = context
  const { request } = asked
  requireTime(context, request)
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = (round === 0 ? standing : null) ?? (await standingFor(context, request, taken?.id))
    const planned = await planFor(context, asked, before)
    if (planned === null) return null
    const { opening } = planned.plan
    if (request.dryRun || planned.guards.length > 0) return { planned, order: null }
    // The slot of the one open is not this row's yet.
    if (opening && taken?.opening === false) break
    if (opening && before.open) {
      const known = taken === null ? await sameOrder(context, request) : null
      if (known !== null) return { known }
      if (await untilNoOpen(context, request.publicId)) continue
      break
    }
    const order = await storePlan(context, asked, planned, taken)
    if (order === null) {
      const known = await sameOrder(context, request)
      if (known !== null) return { known }
    } else if (!opening || order.openBefore <= before.newest) return { planned, order }
    else if (taken === null) await dropOrder(pool, order)
  }
  const retryAt = new Date(clock.now().getTime() + RETRY_MS)
  return refuse(openInFlight, undefined, { retry_at: retryAt.toISOString() })
}

/** Whether an order may not be placed any more. */
export const hasExpired = ({ notAfter }: Pick<OrderRequest, 'notAfter'>, now: Date): boolean =>
  notAfter !== null && now.getTime() > Date.parse(notAfter)

/** Refuses an order whose time has passed, before it has a row and before its row is planned again. */
function requireTime({ clock }: Pick<Context, 'clock'>, request: OrderRequest): void {
  if (hasExpired(request, clock.now())) refuse(orderExpired)
}

async function storePlan(context: Context, asked: Asked, planned: Planned, taken: LegOrder | null) {
  const { pool, clock } = context
  requireTime(context, asked.request)
  const now = clock.now()
  const nextAt = new Date(now.getTime() + JUDGING_MS)
  const order = newOrder(asked, planned, (await asked.mandate).owner_id)
  return taken === null ? insertOrder(pool, order, now, nextAt) : replanOrder(pool, taken, order, nextAt)
}

/** Waits a moment until no open of a leg is judged or at the venue; false if one still is. */
async function untilNoOpen({ pool, clock }: Context, publicId: string): Promise<boolean> {
  for (let look = 0; look < LOOKS; look += 1) {
    await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve))
    if (!(await hasOpen(pool, publicId))) return true
  }
  return false
}

/** Reads the account and plans the order. Refuses one that would flip the position, or that has nothing to close. */
async function planFor(context: Context, asked: Asked, standing: Standing): Promise<Planned | null> {
  const { leg, request } = asked
  const { settings } = context
  const { reduceOnly } = request
  const reads = Promise.all([
    readScene(context, leg, request.market, reduceOnly),
    // Settled, because a close does not need it.
    Promise.allSettled([reduceOnly ? null : readActionsLeft(context, leg, standing.allowance)]),
  ])
  // Nobody awaits them if the mandate refuses.
  reads.catch(() => {})
  const mandate = await asked.mandate
  const [scene, [actions]] = await reads
  if (scene === null) return reduceOnly ? refuse(nothingToClose) : null
  const { market, prices, position, reading } = scene
  const held = position?.size ?? '0'
  const planned = planOrder(request, {
    position: held,
    prices,
    band: request.maxSlippage ?? settings.slippagePct,
    sizeDecimals: market.sizeDecimals,
    takerFee: takerFeeOf(market.coin),
  })
  const plan = requirePlan(planned, held)
  if (!plan.opening) return { scene, plan, guards: [], worthLowUsdc: null }
  if (actions.status === 'rejected') throw actions.reason
  const left = actions.value
  if (left !== null && left < ACTIONS_KEPT) refuse(venueAllowance, undefined, { left })
  if (standing.missedOpens >= MISSED_MAX) refuseMissed(standing)
  const { limits } = mandate
  const guards = guardsOf(plan, prices, {
    openNotionalUsdc: reading.notional,
    dailyCapUsdc: limits.daily_cap_usdc,
    openNotionalMult: settings.openNotionalMult,
    budgetUsdc: limits.budget_usdc,
    badFillsUsdc: standing.badFillsUsdc,
    listed: market.listed,
    bar: standing.bar,
  })
  const { foreign } = standing
  const known = foreign === null ? null : await foreignForOrder(context, leg, reading, foreign)
  const worthLowUsdc = worthLow(mandate, reading, { foreign: known, exitBps: settings.exitBps })
  return { scene, plan, guards, worthLowUsdc }
}

/** Reads how the leg of a request stands, but for one order. */
export function standingFor(
  { pool, clock, settings }: Pick<Context, 'pool' | 'clock' | 'settings'>,
  request: OrderRequest,
  exceptId = 0,
): Promise<Standing> {
  const now = clock.now()
  // No reading of now is older.
  const since = new Date(now.getTime() - settings.readingMaxAgeSec * 1000)
  return readStanding(pool, request, { now, since, exceptId })
}

/** Opens of a leg that may execute nothing in a minute. */
const MISSED_MAX = 20

function refuseMissed({ firstMissedAt }: Standing): never {
  const retryAt = new Date((firstMissedAt?.getTime() ?? 0) + 60_000).toISOString()
  return refuse(common.rateLimited, `${MISSED_MAX} opens of this leg executed nothing within a minute.`, {
    retry_at: retryAt,
  })
}

/** Returns the order that a request names by its key or client_id. Refuses one that is bound to something else. */
export async function sameOrder({ pool }: Pick<Context, 'pool'>, request: OrderRequest): Promise<LegOrder | null> {
  const { publicId, orderKey, clientId, hash } = request
  const byKey = await findOrder(pool, publicId, orderKey)
  if (byKey !== null) {
    if (byKey.requestHash !== hash) refuse(common.idempotencyMismatch)
    return byKey
  }
  const byClientId = clientId === null ? null : await findByClientId(pool, publicId, clientId)
  if (byClientId === null) return null
  if (orderKey.startsWith('client:') && byClientId.requestHash === hash) return byClientId
  return refuse(clientIdUsed)
}

function newOrder({ leg, request }: Asked, { scene, plan }: Planned, ownerId: number) {
  const { market, book, prices } = scene
  return {
    publicId: request.publicId,
    orderKey: request.orderKey,
    requestHash: request.hash,
    clientId: request.clientId,
    accountId: request.accountId,
    by: request.as,
    ownerId,
    account: leg.owner,
    network: leg.network,
    market: request.market,
    coin: market.coin,
    dex: market.dex,
    side: request.side,
    opening: plan.opening,
    size: plan.size,
    worstPrice: plan.worstPrice,
    markPrice: prices.mark,
    notionalUsdc: plan.notionalUsdc,
    amountUsdc: request.amountUsdc,
    referencePrice: plan.referencePrice,
    bestBid: prices.bid,
    bestAsk: prices.ask,
    cloid: cloidOf(request.publicId, request.orderKey),
    readings: readingsOf(scene),
    bookTime: book?.at.getTime() ?? 0,
  }
}
