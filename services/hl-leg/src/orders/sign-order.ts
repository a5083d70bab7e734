import type { Context } from '#context.ts'
import type { Leg } from '#legs/store/legs.ts'
import { closingSignerFor, signerFor } from '#legs/signer-for.ts'
import { drawNonceAhead } from '#venue/store/nonces.ts'
import { storeSigned, type LegOrder, type Signed } from './store/orders.ts'

/** The job leaves an order to the call that sent it for so long. */
const CALL_MS = 12_000

/**
 * Signs an order with the key of its leg and stores the bytes, before anything is sent. Returns null if the order is no
 * longer this call's to send, and for an open while opens are barred. `judged` is null for a close of this house. An order
 * that closes carries reduce-only.
 */
export async function signOrder(
  context: Pick<Context, 'seed' | 'settings' | 'clock' | 'pool'>,
  { leg, order, asset, nonce: drawn }: ToSign,
  judged: Pick<Signed, 'judgement' | 'termsHash' | 'usage'> | null,
): Promise<LegOrder | null> {
  const now = context.clock.now()
  const signer = (order.opening ? signerFor : closingSignerFor)(context, leg)
  const nonce = drawn ?? (await drawNonceAhead(context.pool, signer.address, now))
  const { body, expiresAfter } = await signer.signOrder(
    {
      asset,
      side: order.side,
      price: order.worstPrice,
      size: order.size,
      reduceOnly: !order.opening,
      cloid: order.cloid,
    },
    { nonce, nowMs: now.getTime() },
  )
  if (expiresAfter === null) throw new Error('a signed order has an expiry')
  const none = { judgement: null, termsHash: null, usage: null }
  const signed = { ...(judged ?? none), signer: signer.address.toLowerCase(), nonce, body, expiresAfter }
  return storeSigned(context.pool, order, signed, now, new Date(now.getTime() + CALL_MS))
}

/** An order that was let through, with the nonce that was drawn for the key of its leg; null draws one. */
interface ToSign {
  readonly leg: Leg
  readonly order: LegOrder
  readonly asset: number
  readonly nonce: number | null
}
