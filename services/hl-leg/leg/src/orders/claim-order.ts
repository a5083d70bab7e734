import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import { exact, usdcUp } from '@svc/hyperliquid/rounding'
import {
  clientIdUsed,
  marginShort,
  moneyMoving,
  nothingToClose,
  openInFlight,
  orderExpired,
  unexplained,
  venueAllowance,
} from '@svc/contracts/hl-leg/orders'
import { legRefusals } from '@svc/contracts/hl-leg/refusals'
import type { LegMandate } from '@svc/contracts/mandates/leg'
import type { Context } from '#context.ts'
import { foreignForOrder } from './foreign-for-order.ts'
import { askMode } from '#legs/ask-mode.ts'
import type { Leg } from '#legs/store/legs.ts'
import { ACTIONS_KEPT, readActionsLeft } from './allowance.ts'
import { hasExpired, type OrderRequest } from './order-request.ts'
import { freeOf, readingsOf, readScene, type OrderScene } from './read-scene.ts'
import { guardsOf, type Guard } from './rules/guards.ts'
import { isMarginShort } from './rules/margin.ts'
import { requirePlan } from '@svc/venue/require-plan'
import { cloidOf } from './rules/order-keys.ts'
import { planOrder, type Plan } from '@svc/venue/rules/plan-order'
import { takerFeeOf } from '@svc/venue/rules/taker-fee'
import {
  dropOrder,
  findByClientId,
  findOrder,
  hasOpen,
  insertOrder,
  JUDGING_MS,
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
/** An order that was planned from a reading. */
export interface Planned {
  readonly scene: OrderScene
  readonly plan: Plan
  /** Why an open must not be sent, beyond the clauses. */
  readonly guards: readonly Guard[]
  /** Lower worth of the mandate, USDC; null for a close, and if it is unknown. */
  readonly worthLowUsdc: string | null
  /** Leverage of the account for an open on a dex other than the main one; null for any other order. */
  readonly leverage: number | null
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
  readonly mandate: LegMandate
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

/** Refuses an order whose time has passed, before it has a row and before its row is planned again. */
function requireTime({ clock }: Pick<Context, 'clock'>, request: OrderRequest): void {
  if (hasExpired(request, clock.now())) refuse(orderExpired)
}

async function storePlan(context: Context, asked: Asked, planned: Planned, taken: LegOrder | null) {
  const { pool, clock } = context
  requireTime(context, asked.request)
  const now = clock.now()
  const nextAt = new Date(now.getTime() + JUDGING_MS)
  const order = newOrder(asked, planned, asked.mandate.owner_id)
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
  const { leg, mandate, request } = asked
  const { settings } = context
  const { reduceOnly } = request
  const [scene, [actions, mode]] = await Promise.all([
    readScene(context, leg, request.market, reduceOnly),
    // Settled, because a close needs neither.
    Promise.allSettled([
      reduceOnly ? null : readActionsLeft(context, leg, standing.allowance),
      reduceOnly ? null : requireStandard(context, leg, { isFresh: isModeFresh(context, leg) }),
    ]),
  ])
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
  if (!plan.opening) return { scene, plan, guards: [], worthLowUsdc: null, leverage: null }
  if (mode.status === 'rejected') throw mode.reason
  if (standing.moneyMoving) refuseMoving(context)
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
  if (known !== null && known.cash !== 'explained') await requireExplainable(context, leg, standing)
  const judged = { ...reading, accountValue: known?.judgedValue ?? reading.accountValue }
  const worthLowUsdc = worthLow(mandate, judged, { foreign: known?.foreign ?? null, exitBps: settings.exitBps })
  const leverage = await leverageFor(context, leg, scene)
  if (guards.length === 0) requireMargin(request.market, scene, plan.notionalUsdc, leverage)
  return { scene, plan, guards, worthLowUsdc, leverage }
}

/** Returns the leverage by which the margin of an open follows; null on the main dex, where nothing is moved for it. */
async function leverageFor(
  { venue }: Context,
  { owner }: Leg,
  { market, position }: OrderScene,
): Promise<number | null> {
  if (market.dex === '') return null
  if (position !== null) return position.leverage
  return (await venue.ask('orders', 'activeAssetData', { user: owner, coin: market.coin })).leverage.value
}

/** Refuses an open whose margin the account does not have, before anything is moved for it. */
function requireMargin(marketId: string, scene: OrderScene, notionalUsdc: string, leverage: number | null): void {
  const order = { dex: scene.market.dex, notionalUsdc, leverage: leverage ?? 1 }
  if (leverage === null || !isMarginShort(order, freeOf(scene))) return
  const margin_usdc = usdcUp(exact(notionalUsdc).div(leverage))
  refuse(marginShort, undefined, { market: marketId, leverage, margin_usdc })
}

/** Before an open the mode of the account is at most so old. */
const MODE_MS_MAX = 60_000

const isModeFresh = ({ clock }: Pick<Context, 'clock'>, { modeAt }: Leg): boolean =>
  modeAt !== null && clock.now().getTime() - modeAt.getTime() <= MODE_MS_MAX

/** Refuses an open in an account that is not in the standard mode; asks the venue unless it said so a moment ago. */
async function requireStandard(context: Context, leg: Leg, { isFresh }: { readonly isFresh: boolean }): Promise<void> {
  if (isFresh) return
  if (!(await askMode(context, 'orders', leg)).standard) refuse(legRefusals.unsupported)
}

/** Refuses an open in an account whose cash was not explained for too long; a change may come of another mode. */
async function requireExplainable(context: Context, leg: Leg, { unexplainedSince }: Standing): Promise<void> {
  await requireStandard(context, leg, { isFresh: false })
  const { clock, settings } = context
  const sec = unexplainedSince === null ? 0 : (clock.now().getTime() - unexplainedSince.getTime()) / 1000
  if (sec >= settings.unexplainedMaxSec) refuse(unexplained)
}

/** Leg money is usually there after so long. */
const MOVING_MS = 30_000

function refuseMoving({ clock }: Pick<Context, 'clock'>): never {
  return refuse(moneyMoving, undefined, { retry_at: new Date(clock.now().getTime() + MOVING_MS).toISOString() })
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
