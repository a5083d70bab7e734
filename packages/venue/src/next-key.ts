import { seedFingerprint } from '@svc/hyperliquid'
import { Outage } from '@svc/service'
import type { Address } from 'viem'
import type { WeightClass } from './rules/weights.ts'
import type { VenueClient } from './venue-client.ts'

/** Epochs that one call passes over. */
const EPOCHS_MAX = 3

/** A derived key. `isUsed`: the venue has seen its address, which cannot be approved again. */
export interface DerivedKey {
  readonly epoch: number
  /** Lower case. */
  readonly agent: Address
  readonly fingerprint: string
  readonly isUsed: boolean
}

/** The keys of one purpose, one an epoch. */
export interface KeyRing {
  /** Derives the address of an epoch. */
  addressOf(epoch: number): Address
  /** Returns the stored key of the greatest epoch; null before the first. */
  newest(): Promise<DerivedKey | null>
  /** Returns true if the seed derives a stored key. */
  isOurs(key: DerivedKey): boolean
  /** Stores a derived key; a key that is stored already stays as it is. */
  store(key: DerivedKey): Promise<void>
}

/**
 * Returns the key to approve next: the newest one if it was never used and the seed still derives it, and otherwise that
 * of the next epoch. The venue approves an address once, so an address that it has seen is passed over. The address and
 * the fingerprint of the seed are stored before the key is offered.
 */
export async function nextKey(
  venue: VenueClient,
  by: WeightClass,
  seed: Uint8Array,
  ring: KeyRing,
): Promise<DerivedKey> {
  let newest = await ring.newest()
  if (newest !== null && !newest.isUsed && ring.isOurs(newest)) return newest
  for (let tries = 0; tries < EPOCHS_MAX; tries += 1) {
    const epoch: number = newest === null ? 0 : newest.epoch + 1
    const agent = ring.addressOf(epoch).toLowerCase() as Address
    const { role } = await venue.ask(by, 'userRole', { user: agent })
    const key = { epoch, agent, fingerprint: seedFingerprint(seed), isUsed: role !== 'missing' }
    await ring.store(key)
    if (!key.isUsed) return key
    newest = key
  }
  throw new Outage('venue', `the venue has seen the keys of ${EPOCHS_MAX} epochs; repeat for the next ones`)
}
