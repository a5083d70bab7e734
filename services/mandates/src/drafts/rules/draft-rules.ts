import type { FieldError } from '@svc/contract'
import { isLegMarket, usdcText, type Limits } from '@svc/limits'
import { legProblems, LEG_END_AHEAD_MAX_DAYS, type LegRuleContext } from './leg-rules.ts'
import { problem } from './problem.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** Least and greatest time from now to the end of a mandate. */
export const END_AHEAD_MIN_MS = HOUR_MS
const END_AHEAD_MAX_DAYS = 365
/** Greatest fee, in basis points of the profit. */
export const FEE_BPS_MAX = 3_000

/** A market with its status. */
export interface MarketStatus {
  readonly market_id: string
  readonly status: 'live' | 'paper' | 'planned'
}

/** What the rules depend on, in addition to the limits. */
export interface RuleContext extends LegRuleContext {
  readonly now: Date
  readonly markets: readonly MarketStatus[]
}

/** Returns a problem for each rule that the limits break, with the field and its allowed values. */
export function draftProblems(limits: Limits, context: RuleContext): FieldError[] {
  return [
    ...amountProblems(limits),
    ...endProblems(limits, context.now),
    ...(limits.feeBps > FEE_BPS_MAX
      ? [
          problem(
            'fee_bps',
            'too_large',
            `must be at most ${FEE_BPS_MAX}, which is ${FEE_BPS_MAX / 100} % of the profit`,
          ),
        ]
      : []),
    ...marketProblems(limits, context),
    ...legProblems(limits, context),
  ]
}

function amountProblems({ budget, perTxCap, dailyCap, stopLine, approvalAbove }: Limits): FieldError[] {
  const found: FieldError[] = []
  if (perTxCap <= 0n) found.push(problem('per_tx_cap_usdc', 'too_small', 'must be more than 0'))
  if (perTxCap > dailyCap)
    found.push(
      problem('per_tx_cap_usdc', 'too_large', `must be at most daily_cap_usdc, which is ${usdcText(dailyCap)}`),
    )
  if (dailyCap > budget)
    found.push(problem('daily_cap_usdc', 'too_large', `must be at most budget_usdc, which is ${usdcText(budget)}`))
  if (stopLine >= budget)
    found.push(
      problem(
        'stop_line_usdc',
        'too_large',
        `must be less than budget_usdc, which is ${usdcText(budget)}; "0" switches the stop line off`,
      ),
    )
  if (approvalAbove !== null && approvalAbove > perTxCap)
    found.push(
      problem(
        'approval_above_usdc',
        'too_large',
        `must be at most per_tx_cap_usdc, which is ${usdcText(perTxCap)}; with null no call needs an approval`,
      ),
    )
  return found
}

function endProblems({ endsAt, hlLeg }: Limits, now: Date): FieldError[] {
  if (endsAt.getTime() % 1000 !== 0)
    return [problem('ends_at', 'not_whole_second', 'must be a whole second: write the milliseconds as .000')]
  const ahead = endsAt.getTime() - now.getTime()
  const earliest = new Date(Math.ceil((now.getTime() + END_AHEAD_MIN_MS) / 1000) * 1000).toISOString()
  if (ahead < END_AHEAD_MIN_MS)
    return [problem('ends_at', 'too_early', `must be at least 1 hour ahead: ${earliest} or later`)]
  const days = hlLeg ? LEG_END_AHEAD_MAX_DAYS : END_AHEAD_MAX_DAYS
  const latest = new Date(Math.floor((now.getTime() + days * DAY_MS) / 1000) * 1000).toISOString()
  if (ahead > days * DAY_MS)
    return [
      problem(
        'ends_at',
        'too_late',
        `must be at most ${days} days ahead${hlLeg ? ' for a mandate with a leg' : ''}: ${latest} or earlier`,
      ),
    ]
  return []
}

function marketProblems({ markets, hlLeg }: Limits, { markets: known }: RuleContext): FieldError[] {
  const found: FieldError[] = []
  if (markets.length === 0) found.push(problem('markets', 'too_few', 'name at least one market of GET /hub/markets'))
  markets.forEach((id, at) => {
    const status = known.find((market) => market.market_id === id)?.status
    if (status === undefined)
      found.push(problem(`markets/${at}`, 'unknown_market', 'is not a market of GET /hub/markets'))
    else if (status === 'planned')
      found.push(problem(`markets/${at}`, 'market_planned', 'is planned only: choose a market that is live or paper'))
    else if (isLegMarket(id) && !hlLeg)
      found.push(
        problem(`markets/${at}`, 'needs_leg', 'is traded through the leg: set hl_leg to true, or remove the market'),
      )
  })
  return found
}
