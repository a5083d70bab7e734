import type { FollowEndReason } from '@svc/contracts/gallery/gaps'
import type { FollowLeg } from '@svc/contracts/hl-leg/follows'
import type { FollowMandate } from '@svc/contracts/mandates/follows'

/** What decides whether a follow goes on. A mandate or leg that could not be read is undefined. */
export interface FollowFacts {
  readonly follow: { readonly agentId: number; readonly account: string }
  readonly listing: { readonly status: 'live' | 'suspended' | 'withdrawn' }
  readonly operatorLive: boolean
  readonly mandate: FollowMandate | undefined
  /** Null: the mandate has no leg. */
  readonly leg: FollowLeg | null | undefined
}

const OVER: ReadonlySet<FollowMandate['state']> = new Set(['stopped', 'ended', 'closed'])

/** Returns why a follow ends now; null if it goes on. A leg that lost its key may be bound again, so it ends nothing. */
export function endReasonOf({ follow, listing, operatorLive, mandate, leg }: FollowFacts): FollowEndReason | null {
  if (!operatorLive) return 'operator_ended'
  if (listing.status !== 'live') return listing.status === 'withdrawn' ? 'listing_withdrawn' : 'listing_suspended'
  if (mandate !== undefined && OVER.has(mandate.state)) return 'mandate_stopped'
  if (mandate !== undefined && mandate.agent_id !== follow.agentId) return 'agent_changed'
  if (leg === null || leg?.state === 'released' || (leg?.owner_address ?? follow.account) !== follow.account)
    return 'leg_released'
  return null
}
