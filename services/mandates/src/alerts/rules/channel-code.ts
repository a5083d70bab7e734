import { createHash, timingSafeEqual } from 'node:crypto'

/** Crockford's base32 digits without vowels: nothing to mistake for another digit, and no words. */
const DIGITS = '0123456789BCDFGHJKMNPQRSTVWXYZ'
const LENGTH = 8

const DAY_MS = 86_400_000
/** How long a code can be shown. */
export const CODE_LIFE_MS = 900_000
/** How far back codes count against the limits, and how long they are kept. */
export const CODES_COUNTED_MS = DAY_MS
/** Codes of a day. */
export const CODES_MAX = { owner: 5, address: 5, client: 20 } as const

/** Writes a code as people read it, `XXXX-XXXX`: 39 bits. `draw` gives an integer from 0 up to its argument, exclusive. */
export function writeCode(draw: (limit: number) => number): string {
  const digits = Array.from({ length: LENGTH }, () => DIGITS[draw(DIGITS.length)] ?? '0').join('')
  return `${digits.slice(0, 4)}-${digits.slice(4)}`
}

/** What is stored of a code, as typed in any case, with or without the dash; it serves one owner only. */
export function hashCode(ownerId: number, code: string): string {
  const digits = code.replace('-', '').toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return createHash('sha256').update(`${ownerId} ${digits}`).digest('hex')
}

/** Compares two hashes in constant time. */
export const isSameHash = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b))
