import { deriveAccount, seedFingerprint } from '@svc/hyperliquid'
import { timingSafeEqual } from 'node:crypto'
import type { PrivateKeyAccount } from 'viem/accounts'

/** Purpose of the keys of legs in their derivation. */
const SALT = 'svc/hl-leg/v1'

/** Derives the key of a mandate's leg. */
export const legKeyOf = (seed: Uint8Array, publicId: string, epoch: number): PrivateKeyAccount =>
  deriveAccount(seed, SALT, publicId, epoch)

/** A key as it was stored at its approval. */
export interface StoredKey {
  readonly publicId: string
  readonly epoch: number | null
  readonly agent: string | null
  readonly fingerprint: string | null
}

/**
 * Returns the account of a stored key; null unless the seed is the one that the key came from and derives the stored
 * address.
 */
export function accountOf(seed: Uint8Array | null, key: StoredKey): PrivateKeyAccount | null {
  const { publicId, epoch, agent, fingerprint } = key
  if (seed === null || epoch === null || agent === null || fingerprint === null) return null
  const [now, then] = [Buffer.from(seedFingerprint(seed)), Buffer.from(fingerprint)]
  if (now.length !== then.length || !timingSafeEqual(now, then)) return null
  const account = legKeyOf(seed, publicId, epoch)
  return account.address.toLowerCase() === agent.toLowerCase() ? account : null
}
