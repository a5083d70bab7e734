import { BUILDER_FEE_TENTHS } from '@svc/contracts/common/builder-fee'
import type { OwnRefusal } from '@svc/contracts/hl-trade/account'
import type { Network } from '@svc/hyperliquid'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import { orderKeyAccount } from './order-keys.ts'
import { type KeyState, type Link, linkOf } from './store/own-accounts.ts'

/** An owner's linked account at the venue, as the trading side sees it now. Addresses are lower case. */
export interface OwnAccount {
  readonly linkId: string
  readonly ownerId: number
  readonly wallet: Address
  readonly network: Network
  readonly linkedAt: Date
  readonly orderKey: {
    readonly state: KeyState
    readonly address: Address | null
    readonly epoch: number | null
    readonly fingerprint: string | null
    readonly validUntil: Date | null
  }
  readonly builderFee: {
    /** False while no builder is configured, and before the first reading. */
    readonly approved: boolean
    /** Tenths of a basis point; null before the first reading. */
    readonly maxFee: number | null
    readonly readAt: Date | null
  }
  /** Why the venue's account may not be traded, as last read; null if it may. */
  readonly refused: OwnRefusal | null
}

/** Returns an owner's linked account; null if none is linked on the network of this deployment. */
export async function ownAccountOf(
  context: Pick<Context, 'pool' | 'settings' | 'seed' | 'clock'>,
  ownerId: number,
): Promise<OwnAccount | null> {
  const link = await linkOf(context.pool, context.settings.network, ownerId)
  return link === null ? null : accountOfLink(context, link)
}

/** Returns a link as the trading side sees it now. */
export function accountOfLink(
  { settings, seed, clock }: Pick<Context, 'settings' | 'seed' | 'clock'>,
  link: Link,
): OwnAccount {
  const builder = settings.builderAddress?.toLowerCase() ?? null
  const isRead = builder !== null && link.builder === builder
  return {
    linkId: link.linkId,
    ownerId: link.ownerId,
    wallet: link.wallet,
    network: link.network,
    linkedAt: link.linkedAt,
    orderKey: {
      state: keyStateOf(link, seed, clock.now()),
      address: link.agent,
      epoch: link.epoch,
      fingerprint: link.fingerprint,
      validUntil: link.validUntil,
    },
    builderFee: {
      approved: isRead && (link.builderFeeMax ?? 0) >= BUILDER_FEE_TENTHS,
      maxFee: isRead ? link.builderFeeMax : null,
      readAt: isRead ? link.builderReadAt : null,
    },
    refused: link.refused,
  }
}

/** An enabled key that the seed no longer derives, or whose approval has ended, is lost before a job says so. */
function keyStateOf(link: Link, seed: Uint8Array | null, now: Date): KeyState {
  if (link.keyState !== 'enabled') return link.keyState
  if (orderKeyAccount(seed, link) === null) return 'orphaned'
  return link.validUntil !== null && link.validUntil <= now ? 'expired' : 'enabled'
}
