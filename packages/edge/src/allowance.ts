import type { Caller, LimitRule } from '@svc/contract'
import { policyOf, type Policy } from './limiter.ts'

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

/** Maximum documents per minute and client address, counted separately from calls; the same for pages with their parts. */
export const DOCUMENTS_PER_MINUTE = 600

/** Returns the quota that counts a keyed call; null if none does. */
export type AllowanceOf = (rule: LimitRule, caller: Caller) => Policy | null

/** Returns the quotas of callers. A caller's quota is made once, because the directory returns the same caller again. */
export function allowances({ dailyLimits, minuteLimits }: AccountLimits): AllowanceOf {
  const perMinute: Partial<Record<LimitRule, number>> = minuteLimits
  const ofCallers = new WeakMap<Caller, Map<LimitRule, Policy>>()
  const newPolicy = (rule: LimitRule, { account_id, tier }: Caller): Policy => {
    const key = String(account_id)
    const limit = perMinute[rule]
    return policyOf(
      limit === undefined
        ? { name: 'daily', key, limit: dailyLimits[tier], windowSec: 86_400, durable: true }
        : { name: rule, key, limit, windowSec: 60, durable: false },
    )
  }
  return (rule, caller) => {
    if (caller.kind === 'service' || rule === 'none') return null
    const known = ofCallers.get(caller)
    const made = known?.get(rule)
    if (made !== undefined) return made
    const policy = newPolicy(rule, caller)
    if (known === undefined) ofCallers.set(caller, new Map([[rule, policy]]))
    else known.set(rule, policy)
    return policy
  }
}
