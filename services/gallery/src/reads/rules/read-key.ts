import { createHash } from 'node:crypto'

/** Returns the name under which a signal is paid for, once per account for ever. */
export const resourceOf = (vaultId: string, seq: number): string => `${vaultId}:${seq}`

/** Returns the key of the hold for these resources at a price: the same read, repeated, is the same hold. */
export function readKey(listingId: string, resources: readonly string[]): string {
  return `read:${createHash('sha256')
    .update([listingId, ...resources].join('\n'))
    .digest('hex')}`
}
