import type { LegSigner } from '@svc/hyperliquid/signing'
import type { Context } from '#context.ts'
import type { Leg } from '#legs/store/legs.ts'
import { closingSignerFor, signerFor } from '#legs/signer-for.ts'
import { drawNonceAhead } from '@svc/venue/store/nonces'
import type { LegOrder, Signed } from './store/orders.ts'

type Signing = Pick<Context, 'seed' | 'settings' | 'clock' | 'pool'>

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

/** An order that was let through, with what its signature needs. */
export interface Passed {
  readonly leg: Leg
  readonly order: LegOrder
  /** The number of its market at the venue. */
  readonly asset: number
  readonly judged: Pick<Signed, 'judgement' | 'termsHash' | 'usage'>
}

/** Signs an order that was let through with the key of its leg. Refuses unless the key may sign the order. */
export async function signOrder(context: Signing, { leg, order, asset, judged }: Passed): Promise<Signed> {
  const { pool, clock } = context
  const signer = (order.opening ? signerFor : closingSignerFor)(context, leg)
  const nonce = await drawNonceAhead(pool, signer.address, clock.now())
  return { ...judged, ...(await signBytes(signer, order, asset, { nonce, now: clock.now() })) }
}
