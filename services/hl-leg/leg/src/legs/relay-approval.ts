import { refuse } from '@svc/contract'
import { approvalRejected, approvalSignatureInvalid, approvalStale } from '@svc/contracts/hl-leg/legs'
import { ownerWalletUnsupported } from '@svc/contracts/mandates/refusals'
import { userSignedBody, type Signature } from '@svc/hyperliquid'
import type { Context } from '#context.ts'
import { keySignature, relayStored, SERVED_MS } from '@svc/venue/wallet-action'
import { noteUsed } from './store/keys.ts'
import type { Leg } from './store/legs.ts'
import { type ApprovalOffer, offerOf, storeBody } from './store/offers.ts'

/** A served approval with the owner's signature of it. */
export interface SignedApproval {
  readonly offer: ApprovalOffer
  readonly signature: Signature
}

/**
 * Returns the approval that was served under a nonce with its signature; refuses unless it was served in the last ten
 * minutes and the owner's key signed it.
 */
export async function signedApproval(
  { pool }: Pick<Context, 'pool'>,
  leg: Leg,
  given: { readonly signature: unknown; readonly nonce: number | undefined },
  now: Date,
): Promise<SignedApproval> {
  const offer = given.nonce === undefined ? null : await offerOf(pool, leg.publicId, given.nonce)
  if (offer === null || now.getTime() - offer.servedAt.getTime() > SERVED_MS) refuse(approvalStale)
  const signature = await keySignature(offer.action, given.signature, leg.owner)
  if (signature === 'contract') refuse(ownerWalletUnsupported)
  if (signature === 'invalid') refuse(approvalSignatureInvalid)
  return { offer, signature }
}

/**
 * Relays a signed approval byte for byte. The bytes are stored first and are the same at each try. Refuses with the
 * venue's words; an outage if it is not known whether the venue has it.
 */
export async function relayApproval(
  { pool, venue, clock }: Pick<Context, 'pool' | 'venue' | 'clock'>,
  leg: Leg,
  { offer, signature }: SignedApproval,
): Promise<void> {
  const body = await storeBody(pool, leg.publicId, offer.nonce, userSignedBody(offer.action, signature))
  const relayed = await relayStored(venue, { signer: leg.owner, body })
  if (relayed.kind === 'done') return
  if (relayed.isUsedKey) await noteUsed(pool, leg.publicId, offer.epoch, clock.now())
  refuse(approvalRejected, undefined, { reason: relayed.reason })
}
