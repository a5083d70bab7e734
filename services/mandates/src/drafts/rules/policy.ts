import { usdcUnits } from '@svc/contracts/common/usdc'
import { allowsMore, type LimitName, type Limits } from '@svc/limits'

/** Mandates that an agent accepts. Null sets no bound; amounts are USDC decimal strings. */
export interface Policy {
  readonly accepts_mandates: boolean
  readonly max_open_mandates: number | null
  readonly max_budget_usdc: string | null
  readonly per_tx_cap_usdc: string | null
  readonly daily_cap_usdc: string | null
  readonly allowed_markets: readonly string[] | null
  readonly approval_above_usdc: string | null
}

/** Items that bound a limit, in the order in which they are checked. */
const BOUNDED = {
  max_budget_usdc: 'budget',
  per_tx_cap_usdc: 'perTxCap',
  daily_cap_usdc: 'dailyCap',
  allowed_markets: 'markets',
  approval_above_usdc: 'approvalAbove',
} as const satisfies Partial<Record<keyof Policy, LimitName>>

/** Returns the first item of the policy that refuses the limits, or null. `open` counts the agent's other open mandates. */
export function refusingItem(policy: Policy, limits: Limits, open: number): keyof Policy | null {
  if (!policy.accepts_mandates) return 'accepts_mandates'
  if (policy.max_open_mandates !== null && open >= policy.max_open_mandates) return 'max_open_mandates'
  const items = Object.keys(BOUNDED) as (keyof typeof BOUNDED)[]
  const refusing = items.find((item) => {
    const given = policy[item]
    return allowsMore(BOUNDED[item], limits[BOUNDED[item]], typeof given === 'string' ? usdcUnits(given) : given)
  })
  return refusing ?? null
}
