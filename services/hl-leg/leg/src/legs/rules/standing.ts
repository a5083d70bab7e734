import { LEG_AGENT_NAME, type LegReason } from '@svc/contracts/hl-leg/legs'
import type { LegState } from '@svc/contracts/hl-leg/refusals'
import { isStandardMode, listedKey, type NamedAgent } from '@svc/venue/rules/account'

/** States in which a leg occupies its owner's account. */
export const liveStates = ['bound', 'revoked', 'expired', 'orphaned', 'unsupported'] as const
export type LiveState = (typeof liveStates)[number]
/** Returns true if a leg in this state occupies its owner's account. */
export const isLive = (state: LegState): state is LiveState => (liveStates as readonly string[]).includes(state)

/** What decides the state of a live leg. */
export interface Standing {
  readonly key: string
  /** Whether the seed of this deployment still derives the key. */
  readonly isOurs: boolean
  readonly mode: string
  readonly agents: readonly NamedAgent[]
  /** Until when the approval was listed at its last reading. */
  readonly validUntil: Date | null
}

/** The state that facts make of a live leg, and why. */
export interface Stands {
  readonly state: LiveState
  readonly reason: LegReason | null
}

/**
 * Decides the state of a live leg. A lost key comes before everything, because nothing else can be acted on; then the
 * mode of the account, which may change back; then the approval.
 */
export function standingOf({ key, isOurs, mode, agents, validUntil }: Standing, now: Date): Stands {
  if (!isOurs) return { state: 'orphaned', reason: null }
  const isListed = listedKey(agents, key, now) !== null
  if (!isListed && validUntil !== null && validUntil <= now) return { state: 'expired', reason: null }
  if (!isListed) {
    const isReplaced = agents.some(({ name, address }) => name === LEG_AGENT_NAME && address !== key)
    return { state: 'revoked', reason: isReplaced ? 'replaced' : 'removed' }
  }
  if (!isStandardMode(mode)) return { state: 'unsupported', reason: null }
  return { state: 'bound', reason: null }
}

const DAY_MS = 86_400_000
/** How long an approval outlives its mandate: the time to close and return everything, and a week. */
const AFTER_MS = 7 * DAY_MS
/** The venue accepts approvals of at most 180 days. */
const LIFE_MS_MAX = 179 * DAY_MS

/** Returns until when the approval of a mandate's key must last. */
export function approvalEnd(endsAt: Date, returnFallbackSec: number, now: Date): Date {
  const needed = Math.max(endsAt.getTime(), now.getTime()) + returnFallbackSec * 1000 + AFTER_MS
  return new Date(Math.min(needed, now.getTime() + LIFE_MS_MAX))
}

/** Returns true if an approval ends within a week although the mandate still needs it. */
export const endsEarly = (validUntil: Date, needed: Date, now: Date): boolean =>
  validUntil < needed && validUntil.getTime() - now.getTime() <= AFTER_MS
