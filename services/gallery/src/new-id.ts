import { randomInt } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 20

/** Returns a new id that nobody can guess, such as `lst_` with 20 characters of a to z and 0 to 9. */
export const newId = (prefix: 'opr' | 'opv' | 'lst' | 'sig' | 'fol' | 'ofr'): string =>
  `${prefix}_${Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`
