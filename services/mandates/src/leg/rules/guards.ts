import { usdcText, type GuardFinding } from '@svc/limits'

/** Most that bad fills of a UTC day may cost before the agent opens nothing more, in percent of the budget. */
const BAD_FILLS_PERCENT = 2n

/** Returns the finding that the agent's fills of today were worse than the mandate bears; null if they were not. */
export function badFillsFinding(budget: bigint, badFills: bigint): GuardFinding | null {
  const limit = (budget * BAD_FILLS_PERCENT) / 100n
  if (badFills <= limit) return null
  return {
    code: 'over_slippage_budget',
    limit: usdcText(limit),
    attempted: usdcText(badFills),
    fix: `Fills of today cost ${usdcText(badFills)} USDC against the mark, above ${BAD_FILLS_PERCENT} % of the budget: close positions only, until midnight UTC. Use limits closer to the mark by max_slippage.`,
  }
}

/** Returns the guards with one more, before `venue_rule`, which is judged last. */
export function withGuard(guards: readonly GuardFinding[], added: GuardFinding | null): readonly GuardFinding[] {
  if (added === null || guards.some(({ code }) => code === added.code)) return guards
  const last = guards.findIndex(({ code }) => code === 'venue_rule')
  return last === -1 ? [...guards, added] : guards.toSpliced(last, 0, added)
}
