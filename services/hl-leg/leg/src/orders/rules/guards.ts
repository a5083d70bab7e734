import { exact } from '@svc/hyperliquid/rounding'
import type { Prices } from '@svc/venue/rules/band'
import { LESS_OPEN } from '@svc/venue/rules/less-open'
import type { Plan } from '@svc/venue/rules/plan-order'

/** A rule beyond the clauses that forbids an open; figures are decimal text. */
export interface Guard {
  readonly code: 'stop_line_crossed' | 'agent_silent' | 'over_open_notional' | 'over_slippage_budget' | 'venue_rule'
  readonly limit: string | null
  readonly attempted: string | null
  readonly fix: string
}

/** Smallest notional of an order at the venue, USDC. */
export const MINIMUM_USDC = '10'
/** Share of the budget that an agent's bad fills may cost in a UTC day. */
const SLIPPAGE_SHARE = '0.02'

/** What the guards compare an open with. Amounts are decimal text. */
export interface Bounds {
  /** Notional of all open positions of the account, on all dexes that are read. */
  readonly openNotionalUsdc: string
  readonly dailyCapUsdc: string
  readonly openNotionalMult: string
  readonly budgetUsdc: string
  /** What the agent's fills of this UTC day cost against the mark price. */
  readonly badFillsUsdc: string
  /** False if the market is not listed any more. */
  readonly listed: boolean
  /** Why the leg opens nothing at present; null if it may. */
  readonly bar: 'stop_line' | 'agent_silent' | null
}

/** Returns every guard that forbids an open, in the order in which they are judged. A close has none. */
export function guardsOf(plan: Plan, prices: Prices, bounds: Bounds): readonly Guard[] {
  if (!plan.opening) return []
  return [
    barred(bounds),
    overOpenNotional(plan, bounds),
    overSlippageBudget(bounds),
    venueRule(plan, prices, bounds),
  ].filter((guard) => guard !== null)
}

function barred({ bar }: Bounds): Guard | null {
  switch (bar) {
    case null:
      return null
    case 'stop_line':
      return {
        code: 'stop_line_crossed',
        limit: null,
        attempted: null,
        fix: 'Close positions, or wait: the worth was read at or below the stop line, and nothing opens until it is above it.',
      }
    case 'agent_silent':
      return {
        code: 'agent_silent',
        limit: null,
        attempted: null,
        fix: 'Ask the owner to bind the leg again: the agent was silent for longer than close_if_silent_minutes.',
      }
  }
}

function overOpenNotional(plan: Plan, bounds: Bounds): Guard | null {
  const limit = exact(bounds.dailyCapUsdc).times(bounds.openNotionalMult)
  const after = exact(bounds.openNotionalUsdc).plus(plan.notionalUsdc)
  if (after.lte(limit)) return null
  return {
    code: 'over_open_notional',
    limit: limit.toFixed(),
    attempted: after.toFixed(),
    fix: LESS_OPEN,
  }
}

function overSlippageBudget({ budgetUsdc, badFillsUsdc }: Bounds): Guard | null {
  const limit = exact(budgetUsdc).times(SLIPPAGE_SHARE)
  if (exact(badFillsUsdc).lte(limit)) return null
  return {
    code: 'over_slippage_budget',
    limit: limit.toFixed(),
    attempted: badFillsUsdc,
    fix: 'Wait for the next UTC day: fills worse than the mark price have cost more than 2 % of the budget today. Closes still pass.',
  }
}

function venueRule(plan: Plan, prices: Prices, { listed }: Bounds): Guard | null {
  const broken = (limit: string | null, attempted: string | null, fix: string): Guard => ({
    code: 'venue_rule',
    limit,
    attempted,
    fix,
  })
  if (!listed) return broken(null, null, 'Choose another market: the venue no longer lists this one for new positions.')
  const { mid, source } = plan.centre
  if (mid === null) return broken(null, null, 'Try again later: one side of the book of this market is empty.')
  if (source === 'mark')
    return broken(
      prices.mark,
      mid,
      'Try again later: the middle of the book is further from the mark price than max_slippage allows.',
    )
  if (plan.offLot) return broken(null, null, 'Send a size on the lot of the market: size_decimals of GET /hub/markets.')
  const first = plan.side === 'buy' ? prices.ask : prices.bid
  const value = exact(plan.size).times(first ?? 0)
  if (value.lt(MINIMUM_USDC))
    return broken(
      MINIMUM_USDC,
      value.toFixed(),
      `Ask for more: the venue accepts no order below ${MINIMUM_USDC} USDC at the first price of the book.`,
    )
  return null
}
