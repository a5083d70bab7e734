import { deriveAccount, storedAccount } from '@svc/hyperliquid/signing'
import { LRUCache } from 'lru-cache'
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

/** Accounts that a seed derived: a signature takes as long as the derivation of its key. */
const derived = new WeakMap<Uint8Array, LRUCache<string, PrivateKeyAccount>>()
const KEPT_MAX = 1_000

/**
 * Returns the account of a stored key; null unless the seed is the one that the key came from and derives the stored
 * address.
 */
export function accountOf(
  seed: Uint8Array | null,
  { publicId, epoch, agent, fingerprint }: StoredKey,
): PrivateKeyAccount | null {
  if (seed === null) return null
  const kept = derived.get(seed) ?? new LRUCache<string, PrivateKeyAccount>({ max: KEPT_MAX })
  derived.set(seed, kept)
  const name = `${publicId} ${epoch} ${agent} ${fingerprint}`
  const account = kept.get(name) ?? storedAccount(seed, SALT, { identifier: publicId, epoch, agent, fingerprint })
  if (account !== null) kept.set(name, account)
  return account
}
