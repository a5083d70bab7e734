import type { FieldError } from '@svc/contract'
import { isLegMarket, usdcText, type Limits } from '@svc/limits'
import { problem } from './problem.ts'

/**
 * Greatest time from now to the end of a mandate with a leg, in days. The venue forgets an approval of a key after 180 days, and
 * positions must be closed with that key some days after the end.
 */
export const LEG_END_AHEAD_MAX_DAYS = 170

/** What the rules of the leg depend on, in addition to the limits. */
export interface LegRuleContext {
  readonly hlLegEnabled: boolean
  /** Whether vaults may send money to the leg. */
  readonly legFunding: boolean
  /** Smallest budget of a funded leg, in USDC base units. */
  readonly legMin: bigint
}

/** Returns the limits with the budget of the leg, if the draft does not set it and it follows from the other limits. */
export function withLegBudget(limits: Limits, legFunding: boolean): Limits {
  if (!limits.hlLeg || limits.legBudget !== null) return limits
  if (!legFunding) return { ...limits, legBudget: 0n }
  return limits.markets.every(isLegMarket) ? { ...limits, legBudget: limits.budget } : limits
}

/** Returns a problem for each rule of the leg that the limits break. */
export function legProblems(limits: Limits, context: LegRuleContext): FieldError[] {
  const { hlLeg, legBudget, closeIfSilent, markets } = limits
  if (!hlLeg) {
    const without = 'must be null without a leg: remove it, or set hl_leg to true'
    return [
      ...(legBudget === null ? [] : [problem('leg_budget_usdc', 'needs_leg', without)]),
      ...(closeIfSilent === null ? [] : [problem('close_if_silent_minutes', 'needs_leg', without)]),
    ]
  }
  if (!context.hlLegEnabled)
    return [problem('hl_leg', 'leg_disabled', 'must be false: the leg is switched off in this deployment')]
  if (!markets.some(isLegMarket))
    return [problem('hl_leg', 'needs_leg_market', 'needs at least one market whose id starts with hl:')]
  return context.legFunding ? fundedProblems(limits, context.legMin) : unfundedProblems(limits)
}

function fundedProblems({ budget, legBudget }: Limits, legMin: bigint): FieldError[] {
  const range = `from ${usdcText(legMin)} to budget_usdc, which is ${usdcText(budget)}`
  if (legBudget === null)
    return [problem('leg_budget_usdc', 'required', `must be set, as not all markets begin with hl: an amount ${range}`)]
  if (legBudget < legMin) return [problem('leg_budget_usdc', 'too_small', `must be an amount ${range}`)]
  return legBudget > budget ? [problem('leg_budget_usdc', 'too_large', `must be an amount ${range}`)] : []
}

/** Without leg funding the vault is one that can only call contracts. */
function unfundedProblems({ legBudget, markets }: Limits): FieldError[] {
  return [
    ...(legBudget === null || legBudget === 0n
      ? []
      : [
          problem('leg_budget_usdc', 'leg_funding_off', 'must be "0" or absent: leg funding is off in this deployment'),
        ]),
    ...(markets.every(isLegMarket)
      ? [
          problem(
            'markets',
            'needs_contract_market',
            'needs at least one market of a contract, such as testvenue: leg funding is off in this deployment, and a vault must list a contract call',
          ),
        ]
      : []),
  ]
}
