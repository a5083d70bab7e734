import { refuse } from '@svc/contract'
import { approvalRejected, approvalSignatureInvalid, approvalStale } from '@svc/contracts/hl-leg/legs'
import { ownerWalletUnsupported } from '@svc/contracts/mandates/refusals'
import { normalizeSignature, signerOf, userSignedBody, type Signature } from '@svc/hyperliquid'
import { Outage } from '@svc/service'
import type { Context } from '#context.ts'
import { noteUsed } from './store/keys.ts'
import type { Leg } from './store/legs.ts'
import { type ApprovalOffer, offerOf, storeBody } from './store/offers.ts'

/** How long an approval that was served stays good. */
const OFFER_MS = 10 * 60_000
/** Hex digits of a signature by a key. */
const KEY_SIGNATURE_CHARS = 132
const TRIES = 3

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
  if (offer === null || now.getTime() - offer.servedAt.getTime() > OFFER_MS) refuse(approvalStale)
  const signature = normalizeSignature(given.signature)
  if (signature === null) {
    // A contract's signature is longer than a key's: it contains the calls by which the contract checks it.
    const isContract = typeof given.signature === 'string' && given.signature.length > KEY_SIGNATURE_CHARS
    refuse(isContract ? ownerWalletUnsupported : approvalSignatureInvalid)
  }
  const signer = await signerOf(offer.action, signature)
  if (signer?.toLowerCase() !== leg.owner) refuse(approvalSignatureInvalid)
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
  for (let tries = 0; tries < TRIES; tries += 1) {
    const outcome = await venue.send('orders', { signer: leg.owner, body })
    switch (outcome.kind) {
      case 'accepted':
      case 'landed':
        return
      case 'refused':
        if (outcome.cause === 'agent_used') await noteUsed(pool, leg.publicId, offer.epoch, clock.now())
        return refuse(approvalRejected, undefined, { reason: outcome.reason })
      case 'ours':
        throw new Error(`the venue cannot read an approval: ${outcome.reason}`)
      case 'unknown':
      case 'retriable':
        break
    }
  }
  throw new Outage('venue', 'the venue did not answer the approval')
}
