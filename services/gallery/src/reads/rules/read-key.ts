import { createHash } from 'node:crypto'

/** Returns the name under which a signal is paid for, once per account for ever. */
export const resourceOf = (vaultId: string, seq: number): string => `${vaultId}:${seq}`

/** Returns the key of the hold for these resources at a price: the same read, repeated, is the same hold. */
export function readKey(listingId: string, resources: readonly string[]): string {
  return `read:${createHash('sha256')
    .update([listingId, ...resources].join('\n'))
    .digest('hex')}`
}

/** A page of a listing, as a request names it. */
export interface PageName {
  readonly listing_id: string
  readonly since: number
  readonly limit: number
}

/** Returns what an offer is bound to: SHA-256 of method, path and query. */
export const resourceHashOf = ({ listing_id, since, limit }: PageName): string =>
  createHash('sha256').update(`GET /hub/gallery/${listing_id}/signals?since=${since}&limit=${limit}`).digest('hex')

/** Returns the key of the hold that pays an offer. */
export const offerKey = (offerId: string): string => `offer:${offerId}`
