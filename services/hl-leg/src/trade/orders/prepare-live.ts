import { randomBytes } from 'node:crypto'
import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { Tx } from '@svc/postgres'
import { orderToSign, type Builder } from '@svc/hyperliquid'
import { exact } from '@svc/hyperliquid/rounding'
import { BUILDER_FEE_TENTHS } from '@svc/contracts/common/builder-fee'
import type { Address } from 'viem'
import type { OwnAccount } from '#trade/account/own-account.ts'
import type { Principal } from '#trade/account/principal-of.ts'
import type { Context } from '#trade/context.ts'
import type { Plan } from '#venue/rules/plan-order.ts'
import { drawNonce } from '#venue/store/nonces.ts'
import { readAccountFacts, signsHere, type AccountFacts } from './account-facts.ts'
import { judgeLive, type Judged, type Passed } from './judge-live.ts'
import { estimateTrade, planTrade } from './plan-trade.ts'
import { readScene, type TradeScene } from './read-scene.ts'
import { cloidOf } from './rules/order-keys.ts'
import { requirePace } from './require-pace.ts'
import { bandAtPlan } from './rules/price-band.ts'
import { closesSince } from './store/sums.ts'
import { insertTrade, lockOrders, type NewTrade, type TradeOrder } from './store/trade-orders.ts'
import type { TradeRequest } from './trade-request.ts'

/** How long a prepared order can be confirmed. */
const LIFE_MS = 60_000
/** Opening orders of an account that may wait at once, and its closes in a minute. */
const OPEN_MAX = 5
const CLOSES_MAX = 20
const MINUTE_MS = 60_000
/** Tenths of a basis point in a whole. */
const TENTHS = 100_000
/** When the job first looks for an order that a browser may have posted. */
const FIRST_LOOK_MS = 15_000

/** A plan of a live order with all that it was made from. */
interface LivePlan {
  readonly account: AccountFacts
  readonly own: OwnAccount
  readonly scene: TradeScene
  readonly plan: Plan
  readonly band: string
}

/** Runs the writes of a call in one transaction. */
export type Effect = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/**
 * Plans, judges and stores a live order, which then reserves its notional in the caps. Refuses with the standard refusal
 * block; nothing is stored then. A dry run does the same and stores nothing. Returns null if the key of the request got an
 * order meanwhile.
 */
export async function prepareLive(
  context: Context,
  request: TradeRequest,
  principal: Principal,
  effect: Effect,
): Promise<TradeOrder | Omit<NewTrade, 'orderKey'> | null> {
  const planned = await planLive(context, request, principal)
  return effect(async (tx) => {
    if (!request.dryRun) await lockOrders(tx, principal.ownerId)
    const passed = await judgeLive(context, tx, planned.account, judgedOf(request, principal, planned))
    await requireRoom(context, tx, request, planned.plan.opening, passed)
    const order = await newTrade(context, tx, { request, principal, planned, passed })
    if (request.dryRun) return order
    return insertTrade(tx, { ...order, orderKey: request.orderKey })
  })
}

/** Reads account, market and book, and plans. What cannot be planned is judged by what is known of it. */
async function planLive(context: Context, request: TradeRequest, principal: Principal): Promise<LivePlan> {
  requirePace(context, request.accountId, request.reduceOnly)
  const account = await readAccountFacts(context, principal, !request.reduceOnly)
  const { own } = account
  const scene =
    own === null ? null : await readScene(context, own.wallet as Address, request.market, request.reduceOnly)
  if (own === null || scene === null) return refuseUnplanned(context, request, principal, account)
  const band = request.maxSlippage ?? context.settings.slippagePct
  return { account, own, scene, band, plan: planTrade(request, scene, band) }
}

/** Judges an order of an account that is not linked, or of a market that the venue does not have; it always refuses. */
async function refuseUnplanned(
  context: Context,
  request: TradeRequest,
  { ownerId }: Principal,
  account: AccountFacts,
): Promise<never> {
  await context.pool.transaction((tx) =>
    judgeLive(context, tx, account, {
      ...whoOf(request, ownerId),
      isListed: account.own === null,
      opening: true,
      notionalUsdc: request.amountUsdc,
      openNotionalUsdc: null,
      price: null,
    }),
  )
  throw new Error('an order without a plan was not refused')
}

const whoOf = ({ accountId, door, by, market }: TradeRequest, ownerId: number) => ({
  ownerId,
  accountId,
  door,
  by,
  market,
  ownReservedUsdc: '0',
  isExpired: false,
  needsKey: by === 'agent',
})

const judgedOf = (request: TradeRequest, { ownerId }: Principal, { plan, scene }: LivePlan): Judged => ({
  ...whoOf(request, ownerId),
  isListed: scene.market.listed,
  opening: plan.opening,
  notionalUsdc: plan.notionalUsdc,
  openNotionalUsdc: scene.reading.notional,
  price: plan.opening ? bandAtPlan(plan.reference, scene.prices) : null,
})

/** Refuses a sixth open that waits, and a twenty-first close within a minute. */
async function requireRoom(
  { clock }: Context,
  tx: Tx,
  { accountId }: TradeRequest,
  opening: boolean,
  { sums }: Passed,
): Promise<void> {
  const tooMany = (detail: string, retryAt: Date): never =>
    refuse(common.rateLimited, detail, { retry_at: retryAt.toISOString() })
  const now = clock.now()
  if (opening && sums.open >= OPEN_MAX)
    tooMany(
      `${OPEN_MAX} opening orders of your account wait: confirm or record one, or wait until one expires.`,
      sums.firstExpiresAt ?? new Date(now.getTime() + LIFE_MS),
    )
  if (opening) return
  const { count, first } = await closesSince(tx, accountId, new Date(now.getTime() - MINUTE_MS))
  if (count >= CLOSES_MAX)
    tooMany(
      `${CLOSES_MAX} closes of your account were placed within a minute.`,
      new Date((first ?? now).getTime() + MINUTE_MS),
    )
}

interface Making {
  readonly request: TradeRequest
  readonly principal: Principal
  readonly planned: LivePlan
  readonly passed: Passed
}

/** Builds the order as it is stored; one for a key in the browser comes with the action that the key signs. */
async function newTrade(
  context: Context,
  tx: Tx,
  { request, principal, planned, passed }: Making,
): Promise<Omit<NewTrade, 'orderKey'>> {
  const { clock, settings } = context
  const { account, own, scene, plan, band } = planned
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + LIFE_MS)
  const orderId = `ord_${randomBytes(16).toString('hex')}`
  const server = signsHere(account)
  const builder = builderOf(settings, own)
  const order = {
    orderId,
    confirmId: `cnf_${randomBytes(16).toString('hex')}`,
    ownerId: principal.ownerId,
    accountId: request.accountId,
    by: request.by,
    publicId: passed.publicId,
    door: request.door,
    requestHash: request.hash,
    mode: 'live' as const,
    signMode: server ? ('server' as const) : ('client' as const),
    network: settings.network,
    account: own.wallet,
    market: request.market,
    coin: scene.market.coin,
    asset: scene.market.asset,
    side: request.side,
    opening: plan.opening,
    size: plan.size,
    worstPrice: plan.worstPrice,
    referencePrice: plan.reference.price,
    band,
    notionalUsdc: plan.notionalUsdc,
    cloid: cloidOf(orderId),
    state: server ? ('prepared' as const) : ('offered' as const),
    estimate: estimateTrade(plan, scene, builder === null ? '0' : exact(builder.fee).div(TENTHS).toFixed()),
    judgement: passed.judgement,
    preparedAt: now,
    expiresAt,
    nextAt: server ? expiresAt : new Date(now.getTime() + FIRST_LOOK_MS),
    filledSize: '0',
    averagePrice: null,
    filledNotionalUsdc: '0',
    feeUsdc: '0',
    resolvedAt: null,
  }
  return { ...order, clientAction: server || request.dryRun ? null : await actionFor(context, tx, own, order) }
}

/** The builder whose fee an order of an account carries; null without an approval, which only a close goes without. */
function builderOf({ builderAddress }: Context['settings'], { builderFee }: OwnAccount): Builder | null {
  if (builderAddress === null || !builderFee.approved) return null
  return { address: builderAddress as Address, fee: BUILDER_FEE_TENTHS }
}

type Unsigned = Pick<
  NewTrade,
  'asset' | 'side' | 'worstPrice' | 'size' | 'opening' | 'cloid' | 'preparedAt' | 'expiresAt'
>

/** Builds the action that a key in the browser signs; its nonces rise by wallet. */
async function actionFor(
  context: Context,
  tx: Tx,
  own: OwnAccount,
  order: Unsigned,
): Promise<NewTrade['clientAction']> {
  const { settings } = context
  const nonce = await drawNonce(tx, own.wallet, order.preparedAt)
  const builder = builderOf(settings, own)
  const ioc = {
    asset: order.asset,
    side: order.side,
    price: order.worstPrice,
    size: order.size,
    reduceOnly: !order.opening,
    cloid: order.cloid,
  }
  const scope = { network: own.network, builder, nonce, expiresAfter: order.expiresAt.getTime() }
  const { typedData, action, expiresAfter } = orderToSign(ioc, scope)
  return { typed_data: typedData, action, nonce, expires_after: expiresAfter }
}
