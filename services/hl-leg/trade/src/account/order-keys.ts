import { deriveAccount, storedAccount } from '@svc/hyperliquid/signing'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Context } from '#context.ts'
import { nextKey, type DerivedKey } from '@svc/venue/next-key'
import type { WeightClass } from '@svc/venue/rules/weights'
import { insertKey, newestKey } from './store/order-keys.ts'

/** Purpose of order keys in their derivation. */
const SALT = 'svc/hl-trade/v1'

/** An order key as it is stored with its link. */
export interface StoredOrderKey {
  readonly linkId: string
  readonly epoch: number | null
  readonly agent: string | null
  readonly fingerprint: string | null
}

/** Returns the account of a stored order key; null unless the seed of this deployment derives its address. */
export const orderKeyAccount = (
  seed: Uint8Array | null,
  { linkId, epoch, agent, fingerprint }: StoredOrderKey,
): PrivateKeyAccount | null => storedAccount(seed, SALT, { identifier: linkId, epoch, agent, fingerprint })

/** Returns the order key to approve next for a link; it is stored before it is offered. */
export const nextOrderKey = (
  { pool, venue, clock }: Pick<Context, 'pool' | 'venue' | 'clock'>,
  by: WeightClass,
  seed: Uint8Array,
  linkId: string,
): Promise<DerivedKey> =>
  nextKey(venue, by, seed, {
    addressOf: (epoch) => deriveAccount(seed, SALT, linkId, epoch).address,
    newest: () => newestKey(pool, linkId),
    isOurs: (key) => orderKeyAccount(seed, { linkId, ...key }) !== null,
    store: (key) => insertKey(pool, linkId, key, clock.now()),
  })
