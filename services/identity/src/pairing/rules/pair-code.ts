import { createHmac } from 'node:crypto'

/** Crockford's base32 digits without vowels: no digit looks like another, and no code spells a word. */
export const PAIR_CODE_DIGITS = '0123456789BCDFGHJKMNPQRSTVWXYZ'
/** Digits of a code. */
export const PAIR_CODE_LENGTH = 8

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
export const PAIR_CODE_LIFE_SEC = 900
export const LIVE_CODES_MAX = 5
export const CODES_AN_HOUR_MAX = 10
export const WRONG_CODES_MAX = 5
/** For how long a wrong code counts. */
export const WRONG_CODES_MS = 15 * MINUTE_MS
/** For how long a new code counts. */
export const MADE_CODES_MS = HOUR_MS

/** Writes a new code for people, `XXXX-XXXX`. `draw` returns a random integer from 0 up to its argument, exclusive. */
export function writePairCode(draw: (limit: number) => number): string {
  const digits = Array.from(
    { length: PAIR_CODE_LENGTH },
    () => PAIR_CODE_DIGITS[draw(PAIR_CODE_DIGITS.length)] ?? '0',
  ).join('')
  return `${digits.slice(0, 4)}-${digits.slice(4)}`
}

/** Returns the digits of a code as typed: in any case, with or without the dash, with letters that look like digits. */
export function readPairCode(text: string): string {
  return text.replace('-', '').toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1')
}

/** Returns the stored form of a code: its HMAC-SHA-256 in hex, so that neither the table nor the time of a look-up reveals it. */
export function hashPairCode(key: Uint8Array, digits: string): string {
  return createHmac('sha256', key).update(digits).digest('hex')
}

/** A code that an owner made. */
export interface MadeCode {
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly used: boolean
}

const atLeast = (dates: readonly number[], max: number): number | null =>
  dates.length < max ? null : (dates.toSorted((a, b) => a - b)[dates.length - max] ?? null)

/** Returns when the owner may make another code; null for now. `made` has at least the codes of the last hour. */
export function nextCodeAt(made: readonly MadeCode[], now: Date): Date | null {
  const live = made.filter((code) => !code.used && code.expiresAt > now).map((code) => code.expiresAt.getTime())
  const ofTheHour = made
    .map((code) => code.createdAt.getTime() + MADE_CODES_MS)
    .filter((leaves) => leaves > now.getTime())
  const waits = [atLeast(live, LIVE_CODES_MAX), atLeast(ofTheHour, CODES_AN_HOUR_MAX)].filter((at) => at !== null)
  return waits.length === 0 ? null : new Date(Math.max(...waits))
}

/** Returns when the agent may send another code; null for now. `wrong` has the times of its wrong codes. */
export function nextAttemptAt(wrong: readonly Date[], now: Date): Date | null {
  const leaving = wrong.map((at) => at.getTime() + WRONG_CODES_MS).filter((leaves) => leaves > now.getTime())
  const at = atLeast(leaving, WRONG_CODES_MAX)
  return at === null ? null : new Date(at)
}
