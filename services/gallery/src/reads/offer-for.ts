import { OFFER_SECONDS } from '@svc/contracts/gallery/reads'
import type { Tx } from '@svc/postgres'
import { newId } from '#new-id.ts'
import { resourceHashOf, type PageName } from './rules/read-key.ts'
import { makeOffer, type Offer } from './store/offers.ts'

/** Why an offer that was sent is not paid. */
export type OfferProblem = 'offer_unknown' | 'offer_expired' | 'offer_differs'

/** Returns why the offer of a request cannot be paid; null if it can, or was, or none was sent. */
export function offerProblem(
  input: PageName & { readonly offer_id?: string | undefined },
  offer: Offer | null,
  now: Date,
): OfferProblem | null {
  if (input.offer_id === undefined) return null
  if (offer === null) return 'offer_unknown'
  if (offer.resourceHash !== resourceHashOf(input)) return 'offer_differs'
  return offer.charged === null && offer.expiresAt <= now ? 'offer_expired' : null
}

/** Returns an offer of a page in the form of x402: the one that the account has for it, or a new one. */
export async function offerFor(
  tx: Tx,
  wanted: Pick<Offer, 'accountId' | 'resourceHash' | 'amount' | 'seqs'>,
  now: Date,
) {
  const expiresAt = new Date(now.getTime() + OFFER_SECONDS * 1000)
  const { id } = await makeOffer(tx, { ...wanted, id: newId('ofr'), expiresAt }, now)
  const offer = {
    scheme: 'cherry-credit',
    network: 'svc:ledger',
    asset: 'cherry',
    amount: String(wanted.amount),
    payTo: 'svc:revenue',
    maxTimeoutSeconds: OFFER_SECONDS,
    extra: { offer_id: id, resource_hash: wanted.resourceHash },
  }
  return { offer, expiresAt }
}
