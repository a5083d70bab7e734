import type { LegSigner } from '@svc/hyperliquid'
import type { Context } from '#context.ts'
import type { Leg } from '#legs/store/legs.ts'
import { closingSignerFor, signerFor } from '#legs/signer-for.ts'
import { drawNonceAhead } from '#venue/store/nonces.ts'
import { storeSigned, type LegOrder, type Signed } from './store/orders.ts'

type Signing = Pick<Context, 'seed' | 'settings' | 'clock' | 'pool'>

/** The job leaves an order to the call that sent it for so long. */
export const CALL_MS = 12_000

/**
 * Signs an order with the key of its leg and stores the bytes, before anything is sent. Returns null if the order is no
 * longer this call's to send, and for an open while opens are barred. An order that closes carries reduce-only.
 */
export async function signOrder(
  context: Signing,
  { order, asset, prepared }: ToSign,
  judged: Pick<Signed, 'judgement' | 'termsHash' | 'usage'>,
): Promise<LegOrder | null> {
  const now = context.clock.now()
  const { signer, nonce } = prepared
  const signed = { ...judged, ...(await signBytes(signer, order, asset, { nonce, now })) }
  return storeSigned(context.pool, order, signed, now, new Date(now.getTime() + CALL_MS))
}

/** Returns the signed bytes of an order, which are sent as they are. */
export async function signBytes(
  signer: LegSigner,
  order: Pick<LegOrder, 'side' | 'worstPrice' | 'size' | 'opening' | 'cloid'>,
  asset: number,
  { nonce, now }: { readonly nonce: number; readonly now: Date },
): Promise<Pick<Signed, 'signer' | 'nonce' | 'body' | 'expiresAfter'>> {
  const { side, worstPrice: price, size, cloid } = order
  const action = { asset, side, price, size, reduceOnly: !order.opening, cloid }
  const { body, expiresAfter } = await signer.signOrder(action, { nonce, nowMs: now.getTime() })
  if (expiresAfter === null) throw new Error('a signed order has an expiry')
  return { signer: signer.address.toLowerCase(), nonce, body, expiresAfter }
}

/** An order that was let through, with what was prepared for its signature. */
interface ToSign {
  readonly order: LegOrder
  readonly asset: number
  readonly prepared: Prepared
}

/** The key of a leg, and the next nonce of that key. */
export interface Prepared {
  readonly signer: LegSigner
  readonly nonce: number
}

/** Derives the key of a leg and draws its next nonce; nothing is signed. Refuses unless the key may sign the order. */
export async function prepareSigning(
  context: Signing,
  leg: Leg,
  { opening }: Pick<LegOrder, 'opening'>,
): Promise<Prepared> {
  const signer = (opening ? signerFor : closingSignerFor)(context, leg)
  return { signer, nonce: await drawNonceAhead(context.pool, signer.address, context.clock.now()) }
}
