import { refuse } from '@svc/contract'
import { venueRejected } from '@svc/contracts/hl-leg/orders'
import type { KeySignature } from '@svc/contracts/hl-trade/order-schemas'
import type { Context } from '#context.ts'
import { requirePace } from './require-pace.ts'
import type { TradeOrder } from './store/trade-orders.ts'

/**
 * Posts the action of an order with the signature of a key in the browser. The bytes follow from the stored action and the
 * signature, and the venue admits a number of a key once, so a repetition executes nothing twice. Refuses with the words of
 * the venue; an answer that never came is found out by the next read of the order.
 */
export async function postSigned(context: Context, order: TradeOrder, signature: KeySignature): Promise<void> {
  const { account, clientAction, cloid, opening } = order
  if (account === null || clientAction === null) throw new Error(`order ${order.id} has nothing to sign`)
  const { action, nonce, expires_after: expiresAfter } = clientAction
  requirePace(context, order.ownerId, !opening)
  const body = JSON.stringify({ action, nonce, signature, expiresAfter })
  const sent = await context.venue.send(opening ? 'orders' : 'closes', { signer: account, body })
  if (sent.kind === 'ours') throw new Error(`the venue cannot read order ${order.id}: ${sent.reason}`)
  if (sent.kind === 'refused') refuse(venueRejected, sent.reason, { cloid, reason: sent.reason })
}
