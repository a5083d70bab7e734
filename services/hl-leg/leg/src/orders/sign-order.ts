import type { LegSigner } from '@svc/hyperliquid/signing'
import type { Context } from '#context.ts'
import type { Leg } from '#legs/store/legs.ts'
import { closingSignerFor, signerFor } from '#legs/signer-for.ts'
import { drawNonceAhead } from '@svc/venue/store/nonces'
import { storeSigned, type LegOrder, type Signed } from './store/orders.ts'

type Signing = Pick<Context, 'seed' | 'settings' | 'clock' | 'pool'>

/** The job leaves an order to the call that sent it for so long. */
export const CALL_MS = 12_000

/** Maximum age of signed bytes that are stored; older ones are replaced, because the bytes expire. */
const FRESH_MS = 1_000

/** Signed bytes of an order, and when they were signed. */
export interface SignedBytes extends Pick<Signed, 'signer' | 'nonce' | 'body' | 'expiresAfter'> {
  readonly at: Date
}

/** Returns the signed bytes of an order, which are sent as they are. An order that closes carries reduce-only. */
export async function signBytes(
  signer: LegSigner,
  order: Pick<LegOrder, 'side' | 'worstPrice' | 'size' | 'opening' | 'cloid'>,
  asset: number,
  { nonce, now }: { readonly nonce: number; readonly now: Date },
): Promise<SignedBytes> {
  const { side, worstPrice: price, size, cloid } = order
  const action = { asset, side, price, size, reduceOnly: !order.opening, cloid }
  const { body, expiresAfter } = await signer.signOrder(action, { nonce, nowMs: now.getTime() })
  if (expiresAfter === null) throw new Error('a signed order has an expiry')
  return { signer: signer.address.toLowerCase(), nonce, body, expiresAfter, at: now }
}

/** An order with the market's number at the venue. */
interface ToSign {
  readonly leg: Leg
  readonly order: LegOrder
  readonly asset: number
}

/**
 * Signs an order with the key of its leg. The bytes stay in memory: they are stored, and thus sent, only by `storeBytes`, after
 * the order was let through. Refuses unless the key may sign the order.
 */
export async function signOrder(context: Signing, { leg, order, asset }: ToSign): Promise<SignedBytes> {
  const signer = (order.opening ? signerFor : closingSignerFor)(context, leg)
  const nonce = await drawNonceAhead(context.pool, signer.address, context.clock.now())
  return signBytes(signer, order, asset, { nonce, now: context.clock.now() })
}

/**
 * Stores the bytes of an order that was let through, before anything is sent. Returns null if the order is no longer this
 * call's to send, and for an open while opens are barred.
 */
export async function storeBytes(
  context: Signing,
  toSign: ToSign,
  bytes: SignedBytes | null,
  judged: Pick<Signed, 'judgement' | 'termsHash' | 'usage'>,
): Promise<LegOrder | null> {
  const isFresh = bytes !== null && context.clock.now().getTime() - bytes.at.getTime() < FRESH_MS
  const { at: _, ...fresh } = isFresh ? bytes : await signOrder(context, toSign)
  const now = context.clock.now()
  return storeSigned(context.pool, toSign.order, { ...judged, ...fresh }, now, new Date(now.getTime() + CALL_MS))
}
