import { exact } from '@svc/hyperliquid/rounding'
import { refuse, type Refusal } from '@svc/contract'
import { nothingToClose, wouldFlip } from '@svc/contracts/hl-leg/orders'
import { Outage } from '@svc/service'
import type { NoPlan, Plan } from './rules/plan-order.ts'

/**
 * Returns the plan. Refuses where there is none, and a close of less than a lot; `nothing` is the refusal of the caller's
 * contract where a position to close is missing.
 */
export function requirePlan(plan: Plan | NoPlan, position: string, nothing: Refusal = nothingToClose): Plan {
  switch (plan.kind) {
    case 'nothing_to_close':
      return refuse(nothing)
    case 'would_flip':
      return refuse(wouldFlip, undefined, { position_size: position })
    case 'no_price':
      throw new Outage('venue', 'the grid of the market has no price in the band')
    case 'plan':
      if (!plan.opening && exact(plan.size).isZero())
        refuse(nothing, 'The order is smaller than one lot of the market.', {
          fix: 'Ask for at least one lot of the market: a larger amount_usdc or size.',
        })
      return plan
  }
}
