import { RefusalError } from '@svc/contract'
import { exact, usdcUp } from '@svc/hyperliquid/rounding'
import type { LegSigner } from '@svc/hyperliquid/signing'
import { isOutage } from '@svc/service'
import { randomUUID } from 'node:crypto'
import type { Context } from '#context.ts'
import { closingSignerFor } from '#legs/signer-for.ts'
import type { Leg } from '#legs/store/legs.ts'
import { payAhead } from '#venue/pay-ahead.ts'
import type { Position, Reading } from '@svc/venue/rules/reading'
import { marketIdOf } from '@svc/venue/rules/market-id'
import type { VenueMarket } from '#venue/store/markets.ts'
import { drawNoncesAhead } from '@svc/venue/store/nonces'
import { ACTION_WEIGHT } from '@svc/venue/venue-client'
import { orderAdapter } from './order-adapter.ts'
import { cloidOf } from './rules/order-keys.ts'
import { legOrders } from './send-order.ts'
import { signBytes } from './sign-order.ts'
import { insertSigned, type LegOrder, type SignedClose } from './store/orders.ts'

/** A close of this house: of the stop line, or before money is returned. */
export interface HouseClose {
  readonly leg: Leg
  readonly by: 'stop_line' | 'return'
  readonly position: Position
  readonly market: VenueMarket
  /** Worst price, on the venue's grid. */
  readonly worstPrice: string
  readonly reading: Reading
}

/**
 * Closes positions, each with one reduce-only order of its whole size: all are signed and stored, then all are sent at once. They
 * ask nobody for a judgement and wait for no order. Returns what becomes of each, followed in at most `steps` requests; while its
 * state is `signed` the job goes on with it. One whose key may not sign is rejected; all are, if they cannot be stored.
 */
export async function startCloses(
  context: Context,
  closes: readonly HouseClose[],
  steps = 1,
): Promise<readonly Promise<LegOrder>[]> {
  const keys = closes.map(({ leg }) => keyOf(context, leg))
  const able = closes.flatMap((close, index) => {
    const signer = keys[index]
    return signer === undefined || signer instanceof RefusalError ? [] : { close, signer }
  })
  const following = able.length === 0 ? [] : await sendSigned(context, able, steps)
  const sent = new Map(able.map(({ close }, index) => [close, following[index]]))
  return closes.map((close, index) => sent.get(close) ?? Promise.reject(keys[index]))
}

/** A close with the key that signs it. */
interface Able {
  readonly close: HouseClose
  readonly signer: LegSigner
}

async function sendSigned(
  context: Context,
  able: readonly Able[],
  steps: number,
): Promise<readonly Promise<LegOrder>[]> {
  const { pool, clock } = context
  const now = clock.now()
  const signers = able.map(({ signer }) => signer.address)
  const [nonces, paid] = await Promise.all([
    drawNoncesAhead(pool, signers, now),
    payAhead(context, 'closes', ACTION_WEIGHT * able.length),
  ])
  const signed = await Promise.all(able.map((one, index) => signClose(one, nonces[index], now)))
  const outbound = legOrders(context)
  const claim = outbound.claim()
  const stored = await insertSigned(pool, signed, claim)
  const adapter = orderAdapter(paid.context, null)
  const following = stored.map((order) => uncertain(order, outbound.launch(order, claim, adapter, steps)))
  void Promise.allSettled(following).then(() => paid.giveBack())
  return following
}

/** Opens the key of a leg for a close; returns why it may not sign. */
function keyOf(context: Context, leg: Leg): LegSigner | RefusalError {
  try {
    return closingSignerFor(context, leg)
  } catch (error) {
    if (error instanceof RefusalError) return error
    throw error
  }
}

/** Closes one position, as `startCloses` does. */
export async function sendClose(context: Context, close: HouseClose, steps = 1): Promise<LegOrder> {
  const [sent] = await startCloses(context, [close], steps)
  if (sent === undefined) throw new Error('a close was not sent')
  return sent
}

async function signClose({ close, signer }: Able, nonce: number | undefined, now: Date): Promise<SignedClose> {
  if (nonce === undefined) throw new Error('a close has no nonce')
  const order = newClose(close, `${close.by}:${randomUUID()}`)
  return { order, signed: await signBytes(signer, order, close.market.asset, { nonce, now }) }
}

/** Returns an order as it was sent if an outage leaves uncertain what became of it: the job goes on with it. */
async function uncertain(order: LegOrder, launched: Promise<LegOrder>): Promise<LegOrder> {
  try {
    return await launched
  } catch (error) {
    if (!isOutage(error)) throw error
    return order
  }
}

function newClose({ leg, by, position, worstPrice, reading }: HouseClose, orderKey: string) {
  const size = exact(position.size).abs().toFixed()
  return {
    publicId: leg.publicId,
    orderKey,
    requestHash: orderKey,
    clientId: null,
    accountId: null,
    by,
    ownerId: leg.ownerId,
    account: leg.owner,
    network: leg.network,
    market: marketIdOf(position.coin),
    coin: position.coin,
    dex: position.dex,
    side: position.size.startsWith('-') ? ('buy' as const) : ('sell' as const),
    opening: false,
    size,
    worstPrice,
    markPrice: position.markPrice,
    // Nothing limits it but the position.
    notionalUsdc: usdcUp(exact(size).times(worstPrice)),
    amountUsdc: null,
    referencePrice: null,
    bestBid: null,
    bestAsk: null,
    cloid: cloidOf(leg.publicId, orderKey),
    readings: reading.dexes.flatMap(({ dex, at, accountValue }) =>
      at === null ? [] : { dex, time: at.getTime(), account_value_usdc: accountValue },
    ),
    bookTime: 0,
  }
}
