import { refuse } from '@svc/contract'
import { nothingToClose } from '@svc/contracts/hl-trade/books'
import { wouldFlip } from '@svc/contracts/hl-leg/orders'
import { exact } from '@svc/hyperliquid/rounding'
import type { Tx } from '@svc/postgres'
import { isOutage } from '@svc/service'
import type { Address } from 'viem'
import { openOrderSigner } from '#account/open-order-signer.ts'
import type { OwnAccount } from '#account/own-account.ts'
import type { Context } from '#context.ts'
import { centreOf } from '@svc/venue/rules/band'
import { readAccountFacts, type AccountFacts } from './account-facts.ts'
import { driveTrade } from './drive-trade.ts'
import { judgeLive } from './judge-live.ts'
import { readScene, type TradeScene } from './read-scene.ts'
import { requirePace } from './require-pace.ts'
import { countedNow } from './rules/counted-now.ts'
import { bandAtExecution } from './rules/price-band.ts'
import { lockOrders, lockTrade, readTrade, storeSignedTrade, type TradeOrder } from './store/trade-orders.ts'

/** How often a call sends the bytes of an order or looks for it, and the pause between. */
const CALL = { steps: 3, pauseMs: 250 }

/**
 * Executes a prepared order with the order key of its account: judges it again at the fresh price, stores the signed bytes,
 * sends them and finds out what became of it. An order whose bytes are stored is only followed: of two calls one signs.
 * Refuses with the standard refusal block; the order can then be confirmed until it expires.
 */
export async function executeTrade(context: Context, given: TradeOrder): Promise<TradeOrder> {
  const order = given.resolvedAt === null ? await follow(context, given) : given
  // What has expired is refused, with the judgement of now.
  return order.state === 'expired' ? rehearseTrade(context, order) : order
}

async function follow(context: Context, order: TradeOrder): Promise<TradeOrder> {
  const read = order.state === 'prepared' ? await readFor(context, order) : null
  const driving = read === null ? {} : { sign: (tx: Tx, one: TradeOrder) => sign(context, tx, one, read) }
  try {
    return await driveTrade(context, order.id, driving, CALL)
  } catch (error) {
    const left = isOutage(error) ? await readTrade(context.pool, order.id) : null
    // The job goes on with bytes that are stored.
    if (left === null || left.state === 'prepared') throw error
    return left
  }
}

/** What was read for an execution; null for an account that is not linked any more, and for an order that has expired. */
interface Fresh {
  readonly account: AccountFacts
  readonly own: OwnAccount | null
  readonly scene: TradeScene | null
}

async function readFor(context: Context, order: TradeOrder): Promise<Fresh> {
  requirePace(context, order.ownerId, !order.opening)
  const agentId = order.by === 'agent' ? order.accountId : null
  const account = await readAccountFacts(context, { ownerId: order.ownerId, agentId }, order.opening)
  const linked = account.own
  // An order belongs to the account that it was prepared for.
  const own = linked !== null && linked.wallet === order.account ? linked : null
  // An order that has expired is refused whatever the venue says.
  const isExpired = order.state === 'expired' || order.expiresAt <= context.clock.now()
  const scene =
    own === null || isExpired ? null : await readScene(context, own.wallet as Address, order.market, !order.opening)
  return { account: { ...account, own }, own, scene }
}

/**
 * Judges a prepared order as its execution would, and signs nothing. Returns it with the judgement and the size of now;
 * an order that was executed before as it stands.
 */
export async function rehearseTrade(context: Context, order: TradeOrder): Promise<TradeOrder> {
  if (order.state === 'signed' || (order.resolvedAt !== null && order.state !== 'expired')) return order
  const read = await readFor(context, order)
  return context.pool.transaction(async (tx) => {
    const found = await judgeLocked(context, tx, order, read)
    return 'ready' in found ? { ...found.order, ...found.ready.shown } : found.order
  })
}

/** An order under its lock, and what its signature needs unless it was signed before. */
type Locked = { readonly order: TradeOrder } | { readonly order: TradeOrder; readonly ready: Ready }
interface Ready {
  readonly own: OwnAccount
  readonly shown: Pick<TradeOrder, 'size' | 'judgement' | 'notionalUsdc'> & { readonly referencePrice: string }
}

/** Judges an order under its lock and that of the sums that it is judged by. */
async function judgeLocked(
  context: Context,
  tx: Tx,
  { id, ownerId }: TradeOrder,
  { account, own, scene }: Fresh,
): Promise<Locked> {
  await lockOrders(tx, ownerId)
  const order = await lockTrade(tx, id)
  if (order.state !== 'prepared' && order.state !== 'expired') return { order }
  const now = context.clock.now()
  // The prices of now may be above those that it was prepared by.
  const shown = scene === null ? null : countedNow(order, scene.prices)
  const { judgement } = await judgeLive(context, tx, account, {
    ownerId,
    accountId: order.accountId,
    door: order.door,
    by: order.by,
    market: order.market,
    isListed: scene === null || scene.market.listed,
    opening: order.opening,
    notionalUsdc: shown?.notionalUsdc ?? order.notionalUsdc,
    openNotionalUsdc: scene?.reading.notional ?? null,
    id,
    price: scene === null ? null : bandAtExecution(order, centreOf(scene.prices, order.band)),
    isExpired: order.state === 'expired' || order.expiresAt <= now,
    needsKey: true,
  })
  if (own === null || scene === null || shown === null) throw new Error(`order ${id} passed without an account`)
  const size = sizeNow(order, scene)
  return { order, ready: { own, shown: { ...shown, size, judgement } } }
}

/** Judges and signs in one transaction. Returns false if the order was signed meanwhile. */
async function sign(context: Context, tx: Tx, given: TradeOrder, read: Fresh): Promise<boolean> {
  const found = await judgeLocked(context, tx, given, read)
  if (!('ready' in found)) return false
  const { order, ready } = found
  const { own, shown } = ready
  const { size, referencePrice: counted, notionalUsdc } = shown
  const now = context.clock.now()
  const { address, signOrder } = openOrderSigner(context, own)
  const ioc = {
    asset: order.asset,
    side: order.side,
    price: order.worstPrice,
    size,
    reduceOnly: !order.opening,
    cloid: order.cloid,
  }
  const { body, nonce, expiresAfter } = await signOrder(tx, ioc)
  if (expiresAfter === null) throw new Error('a signed order has an expiry')
  const bytes = {
    size,
    referencePrice: counted,
    notionalUsdc,
    signer: address.toLowerCase(),
    nonce,
    body,
    expiresAfter,
  }
  return storeSignedTrade(tx, order.id, bytes, now)
}

/** Returns the size to send: a close is never larger than the position, and an open never turns one. */
function sizeNow({ opening, side, size }: TradeOrder, { position }: TradeScene): string {
  const held = exact(position?.size ?? '0')
  const reduces = !held.isZero() && held.isNegative() === (side === 'buy')
  if (opening) {
    if (reduces && exact(size).gt(held.abs())) refuse(wouldFlip, undefined, { position_size: held.toFixed() })
    return size
  }
  if (!reduces) return refuse(nothingToClose)
  return exact(size).gt(held.abs()) ? held.abs().toFixed() : size
}
