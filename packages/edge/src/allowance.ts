import type { Caller, LimitRule } from '@svc/contract'
import type { Policy } from './limiter.ts'

/** Maximum numbers of keyed calls of an account. */
export interface AccountLimits {
  /** Per day, by tier. */
  readonly dailyLimits: readonly [number, number, number]
  /**
   * Per minute, by rule. Keys, sessions and the subscription (`account`) are counted separately from the daily
   * requests: an account without any left must still be able to subscribe, revoke a key and sign out.
   */
  readonly minuteLimits: Readonly<Record<'account' | 'hub_read' | 'hub_write' | 'hub_exit', number>>
}

/** Maximum documents per minute and client address, counted separately from calls. */
export const DOCUMENTS_PER_MINUTE = 600

/** Returns the quota that counts a keyed call; null if none does. */
export function allowanceOf(
  rule: LimitRule,
  caller: Caller,
  { dailyLimits, minuteLimits }: AccountLimits,
): Policy | null {
  if (caller.kind === 'service' || rule === 'none') return null
  const key = String(caller.account_id)
  const perMinute: Partial<Record<LimitRule, number>> = minuteLimits
  const limit = perMinute[rule]
  return limit === undefined
    ? { name: 'daily', key, limit: dailyLimits[caller.tier], windowSec: 86_400, durable: true }
    : { name: rule, key, limit, windowSec: 60, durable: false }
}
