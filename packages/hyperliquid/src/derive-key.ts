import { hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Hex } from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const SEED = /^(?:0x)?([0-9a-f]{64})$/i
/** Identifiers stand before a `|` in the derivation; one that held it could name another key. */
const IDENTIFIER = /^[A-Za-z0-9_-]{1,64}$/

/**
 * Decodes a seed of 64 hex characters to its 32 bytes. Returns null for any other text and for a seed of zeros. The
 * text is not part of any error.
 */
export function parseSeed(text: string): Uint8Array | null {
  const hex = SEED.exec(text)?.[1]
  if (hex === undefined || /^0+$/.test(hex)) return null
  return Uint8Array.from(Buffer.from(hex, 'hex'))
}

/**
 * Derives the account of an identifier, such as a mandate's public id, at an epoch: HKDF-SHA256 over the seed's 32 bytes,
 * `salt` naming the purpose, and `<identifier>|<epoch>|<counter>` as info. The counter starts at 0 and grows until the
 * output is a valid key, so no key is more likely than another.
 *
 * The venue approves an address once only; a new approval therefore requires the next epoch.
 */
export function deriveAccount(seed: Uint8Array, salt: string, identifier: string, epoch: number): PrivateKeyAccount {
  if (!IDENTIFIER.test(identifier)) throw new TypeError('identifier of a derived key has letters, digits, _ and - only')
  if (!Number.isSafeInteger(epoch) || epoch < 0) throw new TypeError('epoch of a derived key is a whole number from 0')
  for (let counter = 0; ; counter += 1) {
    const bytes = Buffer.from(hkdfSync('sha256', seed, salt, `${identifier}|${epoch}|${counter}`, 32))
    const hex: Hex = `0x${bytes.toString('hex')}`
    const key = BigInt(hex)
    if (key > 0n && key < CURVE_ORDER) return privateKeyToAccount(hex)
  }
}

/** Fingerprint of a seed, 16 hex characters: tells whether the seed is still the one that a stored address came from. */
export const seedFingerprint = (seed: Uint8Array): string =>
  Buffer.from(hkdfSync('sha256', seed, 'svc/fingerprint/v1', '', 8)).toString('hex')

/** A derived key as it was stored; null members: none was stored. */
export interface StoredKey {
  readonly identifier: string
  readonly epoch: number | null
  readonly agent: string | null
  readonly fingerprint: string | null
}

/**
 * Returns the account of a stored key; null unless the seed is the one that the key came from and derives the stored
 * address.
 */
export function storedAccount(seed: Uint8Array | null, salt: string, key: StoredKey): PrivateKeyAccount | null {
  const { identifier, epoch, agent, fingerprint } = key
  if (seed === null || epoch === null || agent === null || fingerprint === null) return null
  const [now, then] = [Buffer.from(seedFingerprint(seed)), Buffer.from(fingerprint)]
  if (now.length !== then.length || !timingSafeEqual(now, then)) return null
  const account = deriveAccount(seed, salt, identifier, epoch)
  return account.address.toLowerCase() === agent.toLowerCase() ? account : null
}
