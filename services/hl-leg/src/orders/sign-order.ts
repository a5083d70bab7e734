import type { Context } from '#context.ts'
import type { Leg } from '#legs/store/legs.ts'
import { closingSignerFor, signerFor } from '#legs/signer-for.ts'
import { drawNonce } from '#venue/store/nonces.ts'
import type { Tx } from '@svc/postgres'
import { spendAllowance } from './store/allowances.ts'
import { storeSigned, type LegOrder, type Signed } from './store/orders.ts'

/** The job leaves an order to the call that sent it for so long. */
const CALL_MS = 12_000

/**
 * Signs an order with the key of its leg and stores the bytes, before anything is sent. Returns null if the order is no
 * longer this call's to send. `judged` is null for a close of this house. An order that closes carries reduce-only.
 */
export async function signOrder(
  context: Pick<Context, 'seed' | 'settings' | 'clock' | 'venue'>,
  tx: Tx,
  { leg, order, asset }: { readonly leg: Leg; readonly order: LegOrder; readonly asset: number },
  judged: Pick<Signed, 'judgement' | 'termsHash' | 'usage'> | null,
): Promise<LegOrder | null> {
  const now = context.clock.now()
  const signer = (order.opening ? signerFor : closingSignerFor)(context, leg)
  const nonce = await drawNonce(tx, signer.address, now)
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
  await spendAllowance(tx, order.network, order.account)
  return storeSigned(tx, order, signed, now, new Date(now.getTime() + CALL_MS))
}
