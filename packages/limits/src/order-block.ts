import type { GuardFinding, OrderAssessment, OrderCode, OrderRefusal } from './order.ts'
import { askLessText, judgedFigures, overCapFix, overDayFix, type Figures, type RefusalBlock } from './refusal-block.ts'
import { usdcText } from './usdc.ts'

/** The refusal block of an order; a guard's code is its own. */
export type OrderBlock = Omit<RefusalBlock, 'code'> & { readonly code: string | null }

/** Returns the judgement of an order as the refusal block of answers. */
export function orderBlock(assessment: OrderAssessment): OrderBlock {
  const { refusal, attempt } = assessment
  const figures = judgedFigures(assessment)
  const { unit } = figures
  const judged = { ...figures, code: codeOf(refusal), source: 'server' as const }
  const found = findingOf(refusal)
  if (found !== null)
    return { ...judged, limit: found.limit, attempted: found.attempted, fix: found.fix, max_passing_amount_usdc: null }
  return {
    ...judged,
    attempted: unit === null ? null : attempted(attempt, unit),
    fix: refusal === null ? null : fixOf(refusal.code as OrderCode, figures),
  }
}

const findingOf = (refusal: OrderRefusal | null): GuardFinding | null =>
  refusal === null || typeof refusal.code === 'string' ? null : refusal.code

/** Returns the code of a refusal; null without one. */
export const codeOf = (refusal: OrderRefusal | null): string | null =>
  refusal === null ? null : typeof refusal.code === 'string' ? refusal.code : refusal.code.code

function attempted({ market, notional, at }: OrderAssessment['attempt'], unit: string): string | null {
  switch (unit) {
    case 'usdc':
      return usdcText(notional)
    case 'call':
      return market
    case 'unix_seconds':
      return String(at)
    default:
      return null
  }
}

function fixOf(code: OrderCode, figures: Figures): string {
  const { max_passing_amount_usdc: most, resets_at: resetsAt } = figures
  const askLess = askLessText(most)
  switch (code) {
    case 'owner_only_reduces':
      return 'As the owner send orders that reduce a position; opening is left to the agent.'
    case 'stopped_in_record':
    case 'stopped_by_owner':
      return 'The owner stopped the mandate for good, so no order of the agent passes. The owner closes what is open. To trade again, ask for a new mandate.'
    case 'stopped_by_stop_line':
      return 'The stop line stopped the mandate for good: send only orders that reduce a position. To trade again, ask for a new mandate.'
    case 'mandate_paused':
      return 'The owner paused the mandate: wait until it is resumed.'
    case 'mandate_not_working':
      return 'The mandate does not work yet: ask the owner to sign it, to attach its vault and to pay in more than the stop line.'
    case 'market_not_allowed':
      return 'Set market to one that clause 4 lists.'
    case 'over_per_tx_cap':
      return overCapFix(figures)
    case 'over_daily_cap':
      return overDayFix(most, resetsAt)
    case 'mandate_ended':
      return 'The mandate has ended: send only orders that reduce a position. To trade again, ask for a new mandate.'
    case 'approval_required':
      return `Wait for the owner's approval of this order.${askLess}`
    case 'stop_line_would_be_reached':
      return `At its worst price the order could lose so much that the worth reaches the stop line.${askLess}`
    case 'worth_unknown':
      return 'The worth of the mandate is not known now, so nothing shows that it stays above the stop line. Send the order again in a minute.'
  }
}
