import type { Context } from '#context.ts'
import { nextKey } from '@svc/venue/next-key'
import type { WeightClass } from '@svc/venue/rules/weights'
import { accountOf, legKeyOf } from './leg-keys.ts'
import { insertKey, type LegKey, newestKey } from './store/keys.ts'

type Keeper = Pick<Context, 'pool' | 'venue' | 'clock'>

/** Returns the key to approve next for a leg; it is stored before it is offered. */
export const nextLegKey = (
  { pool, venue, clock }: Keeper,
  by: WeightClass,
  seed: Uint8Array,
  publicId: string,
): Promise<LegKey> =>
  nextKey(venue, by, seed, {
    addressOf: (epoch) => legKeyOf(seed, publicId, epoch).address,
    newest: () => newestKey(pool, publicId),
    isOurs: (key) => accountOf(seed, { publicId, ...key }) !== null,
    store: (key) => insertKey(pool, publicId, key, clock.now()),
  })
