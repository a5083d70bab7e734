import type { Caller, LimitRule } from '@svc/contract'
import type { Policy } from './limiter.ts'

/** Calls a minute and account of the rules that count by the minute. */
export const PER_MINUTE = { hub_read: 600, hub_write: 60, hub_exit: 120 } as const satisfies Partial<
  Record<LimitRule, number>
>

/** What counts a keyed call; null where nothing does. `dailyLimits` are calls a day, by tier. */
export function allowanceOf(
  rule: LimitRule,
  caller: Caller,
  dailyLimits: readonly [number, number, number],
): Policy | null {
  if (caller.kind === 'service' || rule === 'none') return null
  const key = String(caller.account_id)
  const perMinute: Partial<Record<LimitRule, number>> = PER_MINUTE
  const limit = perMinute[rule]
  return limit === undefined
    ? { name: 'daily', key, limit: dailyLimits[caller.tier], windowSec: 86_400, durable: true }
    : { name: rule, key, limit, windowSec: 60, durable: false }
}
