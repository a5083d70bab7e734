import { seedFingerprint } from '@svc/hyperliquid'
import { Outage } from '@svc/service'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import type { WeightClass } from '#venue/rules/weights.ts'
import { accountOf, legKeyOf } from './leg-keys.ts'
import { insertKey, type LegKey, newestKey } from './store/keys.ts'

/** Epochs that one call passes over. */
const EPOCHS_MAX = 3

type Keeper = Pick<Context, 'pool' | 'venue' | 'clock'>

/**
 * Returns the key to approve next for a leg: the newest one if it was never used and the seed still derives it, and
 * otherwise that of the next epoch. The venue approves an address once, so an address that it has seen is passed over.
 * The address and the fingerprint of the seed are stored before the key is offered.
 */
export async function nextKey(
  { pool, venue, clock }: Keeper,
  by: WeightClass,
  seed: Uint8Array,
  publicId: string,
): Promise<LegKey> {
  let newest = await newestKey(pool, publicId)
  if (newest !== null && !newest.isUsed && accountOf(seed, { publicId, ...newest }) !== null) return newest
  for (let tries = 0; tries < EPOCHS_MAX; tries += 1) {
    const epoch: number = newest === null ? 0 : newest.epoch + 1
    const agent = legKeyOf(seed, publicId, epoch).address.toLowerCase() as Address
    const { role } = await venue.ask(by, 'userRole', { user: agent })
    const key = { epoch, agent, fingerprint: seedFingerprint(seed), isUsed: role !== 'missing' }
    await insertKey(pool, publicId, key, clock.now())
    if (!key.isUsed) return key
    newest = key
  }
  throw new Outage('venue', `the venue has seen the keys of ${EPOCHS_MAX} epochs; repeat for the next ones`)
}
