import { usdcUnits } from '@svc/contracts/common/usdc'
import type { Limits } from '#mandate/rules/mandate.ts'

/** What an agent takes; null sets no limit. Amounts are USDC decimal strings. */
export interface Policy {
  readonly accepts_mandates: boolean
  readonly max_open_mandates: number | null
  readonly max_budget_usdc: string | null
  readonly per_tx_cap_usdc: string | null
  readonly daily_cap_usdc: string | null
  readonly allowed_markets: readonly string[] | null
  readonly approval_above_usdc: string | null
}

/** The first item of the policy that refuses a mandate; null when it accepts. `open` are the agent's other mandates. */
export function refusingItem(policy: Policy, limits: Limits, open: number): keyof Policy | null {
  const above = (amount: bigint, limit: string | null) => limit !== null && amount > usdcUnits(limit)
  if (!policy.accepts_mandates) return 'accepts_mandates'
  if (policy.max_open_mandates !== null && open >= policy.max_open_mandates) return 'max_open_mandates'
  if (above(limits.budget, policy.max_budget_usdc)) return 'max_budget_usdc'
  if (above(limits.perTxCap, policy.per_tx_cap_usdc)) return 'per_tx_cap_usdc'
  if (above(limits.dailyCap, policy.daily_cap_usdc)) return 'daily_cap_usdc'
  const { allowed_markets: allowed } = policy
  if (allowed !== null && limits.markets.some((id) => !allowed.includes(id))) return 'allowed_markets'
  const { approval_above_usdc: approval } = policy
  // What the policy wants to be asked about, the mandate must hold.
  if (approval !== null && (limits.approvalAbove === null || limits.approvalAbove > usdcUnits(approval)))
    return 'approval_above_usdc'
  return null
}
