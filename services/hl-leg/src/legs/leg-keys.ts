import { deriveAccount, storedAccount } from '@svc/hyperliquid'
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
export const accountOf = (seed: Uint8Array | null, { publicId, epoch, agent, fingerprint }: StoredKey) =>
  storedAccount(seed, SALT, { identifier: publicId, epoch, agent, fingerprint })
