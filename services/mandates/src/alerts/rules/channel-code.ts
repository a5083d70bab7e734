import { createHash, timingSafeEqual } from 'node:crypto'

/** Crockford's base32 digits without vowels: no digit looks like another, and codes contain no words. */
const DIGITS = '0123456789BCDFGHJKMNPQRSTVWXYZ'
const LENGTH = 8

const DAY_MS = 86_400_000
/** How long a code is valid. */
export const CODE_LIFE_MS = 900_000
/** How long codes count against the limits and are stored. */
export const CODES_COUNTED_MS = DAY_MS
/** Greatest number of codes a day. */
export const CODES_MAX = { owner: 5, address: 5, client: 20 } as const

/** Returns a code as `XXXX-XXXX`, 39 bits. `draw` returns an integer from 0 to its argument, exclusive. */
export function writeCode(draw: (limit: number) => number): string {
  const digits = Array.from({ length: LENGTH }, () => DIGITS[draw(DIGITS.length)] ?? '0').join('')
  return `${digits.slice(0, 4)}-${digits.slice(4)}`
}

/** Returns the stored hash of a code, typed in any case, with or without the dash. The hash is valid for one owner. */
export function hashCode(ownerId: number, code: string): string {
  const digits = code.replace('-', '').toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return createHash('sha256').update(`${ownerId} ${digits}`).digest('hex')
}

/** Compares two hashes in constant time. */
export const isSameHash = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b))
