import { randomInt } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Returns a new id with a prefix that nobody can guess, such as `hld_…`. */
export const newId = (prefix: string): string =>
  `${prefix}_${Array.from({ length: 20 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`
