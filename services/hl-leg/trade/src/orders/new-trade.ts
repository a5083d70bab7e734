import { randomBytes } from 'node:crypto'
import { BUILDER_FEE_TENTHS } from '@svc/contracts/common/builder-fee'
import { orderToSign, type Builder } from '@svc/hyperliquid'
import { exact } from '@svc/hyperliquid/rounding'
import type { Tx } from '@svc/postgres'
import type { Address } from 'viem'
import type { OwnAccount } from '#account/own-account.ts'
import type { Principal } from '#account/principal-of.ts'
import type { Context } from '#context.ts'
import { drawNonce } from '@svc/venue/store/nonces'
import { signsHere } from './account-facts.ts'
import type { Passed } from './judge-live.ts'
import type { LivePlan } from './plan-live.ts'
import { estimateTrade } from './plan-trade.ts'
import { cloidOf } from './rules/order-keys.ts'
import type { NewTrade } from './store/trade-orders.ts'
import type { TradeRequest } from './trade-request.ts'

/** How long a prepared order can be confirmed. */
export const LIFE_MS = 60_000
/** Tenths of a basis point in a whole. */
const TENTHS = 100_000
/** When the job first looks for an order that a browser may have posted and nobody recorded. */
const FIRST_LOOK_MS = 15_000

/** What an order is made from. */
interface Making {
  readonly request: TradeRequest
  readonly principal: Principal
  readonly planned: LivePlan
  readonly passed: Passed
}

/** Builds the order as it is stored; one for a key in the browser comes with the action that the key signs. */
export async function newTrade(
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
    bandCentre: plan.centre.price,
    band,
    notionalUsdc: plan.notionalUsdc,
    amountUsdc: request.amountUsdc,
    referencePrice: plan.referencePrice,
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
