import { nextUtcMidnight, usageAt, usdcText } from '@svc/limits'
import type { MandateUsage } from '@svc/contracts/mandates/usage'
import { instantOf, secondsOf, termsFromLimits } from '#limits/engine-terms.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import type { Vault } from '#books/rules/vault.ts'
import type { DayUse } from './store/day-use.ts'

/** Returns the use of the daily cap: one sum of what calls pulled by the chain, of the leg, and of what approvals hold. */
export function usageView(
  mandate: Mandate,
  vault: Vault | null,
  use: Omit<DayUse, 'pending'>,
  now: Date,
): MandateUsage {
  const at = secondsOf(now)
  const cap = mandate.limits.dailyCap
  const used = vault === null ? 0n : usageAt(termsFromLimits(mandate), vault.books, at).used
  const held = use.held_calls + use.held_orders
  const all = used + use.leg_used + use.reserved + held
  return {
    day: now.toISOString().slice(0, 10),
    used_usdc: usdcText(used),
    leg_used_usdc: usdcText(use.leg_used),
    reserved_usdc: usdcText(use.reserved),
    held_usdc: usdcText(held),
    left_usdc: usdcText(all < cap ? cap - all : 0n),
    resets_at: instantOf(nextUtcMidnight(at)),
  }
}
