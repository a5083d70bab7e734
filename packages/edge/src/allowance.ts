import type { Caller, LimitRule } from '@svc/contract'
import type { Policy } from './limiter.ts'

/** How many keyed calls an account may make. */
export interface AccountLimits {
  /** A day, by tier. */
  readonly dailyLimits: readonly [number, number, number]
  /**
   * A minute, by the rules that count by the minute. Keys, sessions and the subscription (`account`) are counted apart from
   * the day: who has used that up must still be able to buy more, to revoke a key and to sign out.
   */
  readonly minuteLimits: Readonly<Record<'account' | 'hub_read' | 'hub_write' | 'hub_exit', number>>
}

/** Documents a minute of a client address. Counted apart, so that reading about the API uses up nothing of it. */
export const DOCUMENTS_PER_MINUTE = 600

/** What counts a keyed call; null where nothing does. */
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
