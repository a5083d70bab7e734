import { exact } from '@svc/hyperliquid/rounding'
import { refuse } from '@svc/contract'
import { nothingToClose, wouldFlip } from '@svc/contracts/hl-leg/orders'
import { Outage } from '@svc/service'
import type { NoPlan, Plan } from './rules/plan-order.ts'

/** Returns the plan. Refuses where there is none, and a close of less than a lot. */
export function requirePlan(plan: Plan | NoPlan, position: string): Plan {
  switch (plan.kind) {
    case 'nothing_to_close':
      return refuse(nothingToClose)
    case 'would_flip':
      return refuse(wouldFlip, undefined, { position_size: position })
    case 'no_price':
      throw new Outage('venue', 'the grid of the market has no price in the band')
    case 'plan':
      if (!plan.opening && exact(plan.size).isZero())
        refuse(nothingToClose, 'The order is smaller than one lot of the market; ask for more.')
      return plan
  }
}
