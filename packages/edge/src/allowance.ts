import type { Caller, LimitRule } from '@svc/contract'
import type { Policy } from './limiter.ts'

/** How many keyed calls an account may make. */
export interface AccountLimits {
  /** A day, by tier. */
  readonly dailyLimits: readonly [number, number, number]
  /** A minute, by the rules that count by the minute. */
  readonly hubLimits: Readonly<Record<'hub_read' | 'hub_write' | 'hub_exit', number>>
}

/**
 * Calls a minute of an account for its keys, sessions and subscription. Counted apart from its day: who has used that up
 * must still be able to buy more, to revoke a key and to sign out.
 */
export const ACCOUNT_PER_MINUTE = 60

/** Documents a minute of a client address. Counted apart, so that reading about the API uses up nothing of it. */
export const DOCUMENTS_PER_MINUTE = 600

/** What counts a keyed call; null where nothing does. */
export function allowanceOf(rule: LimitRule, caller: Caller, { dailyLimits, hubLimits }: AccountLimits): Policy | null {
  if (caller.kind === 'service' || rule === 'none') return null
  const key = String(caller.account_id)
  const perMinute: Partial<Record<LimitRule, number>> = { ...hubLimits, account: ACCOUNT_PER_MINUTE }
  const limit = perMinute[rule]
  return limit === undefined
    ? { name: 'daily', key, limit: dailyLimits[caller.tier], windowSec: 86_400, durable: true }
    : { name: rule, key, limit, windowSec: 60, durable: false }
}
