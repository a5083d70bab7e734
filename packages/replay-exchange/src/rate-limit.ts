import type { ReplayClock } from './clock.ts'
import type { LimitState, RateLimit } from './wire.ts'

/** Decision of the limit about a request. */
export type Verdict =
  | { readonly allowed: true; readonly state: LimitState }
  | {
      readonly allowed: false
      readonly state: LimitState
      readonly status: 429 | 418
      readonly retryAfterSeconds: number
    }

/**
 * Counts weights in windows of simulated time. Requests beyond the budget are rejected with 429. Clients that continue are
 * banned with 418 for increasing times, if the venue does so.
 */
export function createLimiter(limit: RateLimit, clock: ReplayClock): (weight: number) => Verdict {
  let window = -1
  let used = 0
  let refused = 0
  let bannedUntil = 0
  let bans = 0
  return (weight) => {
    const now = clock.now()
    const current = Math.floor(now / limit.windowMs)
    if (current !== window) {
      if (refused === 0 && now > bannedUntil) bans = 0
      window = current
      used = 0
      refused = 0
    }
    const resetMs = (current + 1) * limit.windowMs - now
    const state = { used: Math.min(used + weight, limit.budget), budget: limit.budget, resetMs }
    if (now < bannedUntil)
      return { allowed: false, state, status: 418, retryAfterSeconds: Math.ceil((bannedUntil - now) / 1_000) }
    if (used + weight <= limit.budget) {
      used += weight
      return { allowed: true, state: { ...state, used } }
    }
    refused += 1
    if (limit.bansAfter !== null && refused > limit.bansAfter) {
      bans += 1
      bannedUntil = now + Math.min(259_200_000, 120_000 * 2 ** (bans - 1))
      return { allowed: false, state, status: 418, retryAfterSeconds: Math.ceil((bannedUntil - now) / 1_000) }
    }
    return { allowed: false, state, status: 429, retryAfterSeconds: Math.max(1, Math.ceil(resetMs / 1_000)) }
  }
}
