import type { LegSigner } from '@svc/hyperliquid/signing'
import type { Context } from '#context.ts'
import type { Leg } from '#legs/store/legs.ts'
import { closingSignerFor, signerFor } from '#legs/signer-for.ts'
import { drawNonceAhead } from '@svc/venue/store/nonces'
import { storeSigned, type LegOrder, type Signed } from './store/orders.ts'

type Signing = Pick<Context, 'seed' | 'settings' | 'clock' | 'pool'>

/** The job leaves an order to the call that sent it for so long. */
export const CALL_MS = 12_000

/** Signed bytes of an order. */
export type SignedBytes = Pick<Signed, 'signer' | 'nonce' | 'body' | 'expiresAfter'>

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
  return { signer: signer.address.toLowerCase(), nonce, body, expiresAfter }
}

/** An order with the market's number at the venue. */
interface ToSign {
  readonly leg: Leg
  readonly order: LegOrder
  readonly asset: number
}

/**
 * Signs an order that was let through with the key of its leg, and stores the bytes before anything is sent. Refuses unless the key may
 * sign the order. Returns null if the order is no longer this call's to send, and for an open while opens are barred.
 */
export async function signOrder(
  context: Signing,
  { leg, order, asset }: ToSign,
  judged: Pick<Signed, 'judgement' | 'termsHash' | 'usage'>,
): Promise<LegOrder | null> {
  const signer = (order.opening ? signerFor : closingSignerFor)(context, leg)
  const { pool, clock } = context
  const nonce = await drawNonceAhead(pool, signer.address, clock.now())
  const now = clock.now()
  const bytes = await signBytes(signer, order, asset, { nonce, now })
  return storeSigned(pool, order, { ...judged, ...bytes }, now, new Date(now.getTime() + CALL_MS))
}
