import { createHash } from 'node:crypto'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Returns our id for an order at the venue: 16 bytes of SHA-256 over its order_id, the first one never zero. */
export function cloidOf(orderId: string): `0x${string}` {
  const hex = sha256(`trade-order|${orderId}`).slice(0, 32)
  return `0x${hex.startsWith('00') ? `c1${hex.slice(2)}` : hex}`
}

/** Returns the digest of an Idempotency-Key of a route; null without one. */
export const orderKeyOf = (route: string, key: string | null): string | null =>
  key === null ? null : `${route}:${sha256(key)}`

/** Returns SHA-256 over what a key is bound to, in the order of its members. */
export const requestHash = (bound: readonly (string | number | boolean | null)[]): string =>
  sha256(JSON.stringify(bound))
