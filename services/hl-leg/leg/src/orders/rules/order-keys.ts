import { createHash } from 'node:crypto'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * Returns our id for an order at the venue: 16 bytes of SHA-256 over mandate and key, so that one key has one id. The
 * first byte is never zero: clients of the venue read small ids as numbers.
 */
export function cloidOf(publicId: string, orderKey: string): `0x${string}` {
  const hex = sha256(`leg-order|${publicId}|${orderKey}`).slice(0, 32)
  return `0x${hex.startsWith('00') ? `c1${hex.slice(2)}` : hex}`
}

/**
 * Returns the key of an order: that of its Idempotency-Key, else that of its client_id; null without both. It is a digest,
 * because a key may be longer than what other services store.
 */
export function orderKeyOf(idempotencyKey: string | null, clientId: string | null): string | null {
  if (idempotencyKey !== null) return `key:${sha256(idempotencyKey)}`
  return clientId === null ? null : `client:${sha256(clientId)}`
}

/** What a key is bound to: the same key with anything else is another order. */
export interface Bound {
  readonly accountId: number
  readonly market: string
  readonly side: string
  readonly amountUsdc: string | null
  readonly size: string | null
  readonly reduceOnly: boolean
  readonly maxSlippage: string | null
  readonly clientId: string | null
  /** RFC 3339; null for an order that does not expire. */
  readonly notAfter: string | null
}

/** Returns SHA-256 over what a key is bound to. */
export const requestHash = (bound: Bound): string =>
  sha256(
    JSON.stringify([
      bound.accountId,
      bound.market,
      bound.side,
      bound.amountUsdc,
      bound.size,
      bound.reduceOnly,
      bound.maxSlippage,
      bound.clientId,
      // Left out, not null: orders without it keep the hash that they always had.
      ...(bound.notAfter === null ? [] : [bound.notAfter]),
    ]),
  )
