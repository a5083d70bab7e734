import type { FieldError } from '@svc/contract'
import { usdcUnits } from '@svc/contracts/common/usdc'
import {
  ADOPTED_BUDGET_USDC,
  type EditableParam,
  type ListingTemplate,
  type ParamKey,
} from '@svc/contracts/gallery/listings'
import type { AgentPolicy } from '@svc/contracts/identity/policy'
import { isLegMarket, type Limits } from '@svc/limits'
import { boundsOf, chosenValues, onGridAbove, onGridBelow, type TemplateValues } from './params.ts'

const DAY_MS = 86_400_000
const WHOLE = 1_000_000n
const BUDGET = usdcUnits(ADOPTED_BUDGET_USDC)

/** What a draft is made of. */
export interface Adopted {
  readonly template: ListingTemplate
  readonly params: readonly EditableParam[]
  readonly given: Readonly<Partial<Record<ParamKey, string>>>
  /** Policy of the agent that the draft names; null if it names none. */
  readonly policy: AgentPolicy | null
  readonly now: Date
}

type Field = ParamKey | 'budget_usdc' | 'markets'
/** Which of the sources made a field of the draft; `other_limit`: a lower limit of the same draft. */
export interface Origin {
  readonly field: Field
  readonly source: 'template' | 'param' | 'policy' | 'other_limit' | 'suggestion'
}

/**
 * Limits of a draft with where they come from; or the params that are out of bounds; or the item of the policy that
 * leaves no value of `field` within its bounds.
 */
export type Adoption =
  | { readonly kind: 'limits'; readonly limits: Limits; readonly origins: readonly Origin[] }
  | { readonly kind: 'params'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'excluded'; readonly field: string; readonly item: keyof AgentPolicy }

/** What lowered an amount below its template: an item of the policy, or another limit; null if nothing did. */
type Cause = keyof AgentPolicy | 'other_limit' | null
interface Amount {
  readonly value: bigint
  readonly by: Cause
}

/** Returns the limits of a draft: 50 USDC, and in every field the tighter of template and policy. */
export function adoptedLimits({ template, params, given, policy, now }: Adopted): Adoption {
  const { values, errors } = chosenValues(template, params, given)
  if (errors.length > 0) return { kind: 'params', errors }
  if (policy?.accepts_mandates === false) return { kind: 'excluded', field: 'agent_id', item: 'accepts_mandates' }
  const allowed = policy?.allowed_markets ?? null
  const markets = template.markets.filter((id) => allowed?.includes(id) ?? true)
  if (markets.length === 0) return { kind: 'excluded', field: 'markets', item: 'allowed_markets' }
  const amounts = amountsOf(values, params, policy)
  if ('kind' in amounts) return amounts
  const hlLeg = markets.some(isLegMarket)
  const silent = values.close_if_silent_minutes
  const limits: Limits = {
    budget: amounts.budget.value,
    perTxCap: amounts.perTx.value,
    dailyCap: amounts.daily.value,
    stopLine: amounts.stop.value,
    approvalAbove: amounts.approval?.value ?? null,
    markets,
    endsAt: new Date(Math.floor(now.getTime() / 1000) * 1000 + Number((values.days ?? 0n) / WHOLE) * DAY_MS),
    feeBps: Number((values.fee_bps ?? 0n) / WHOLE),
    hlLeg,
    legBudget: null,
    closeIfSilent: hlLeg && silent !== null ? Number(silent / WHOLE) : null,
    // The owner alone decides what is shown of the owner.
    publicProof: false,
  }
  return { kind: 'limits', limits, origins: originsOf(params, amounts, markets.length < template.markets.length) }
}

interface Amounts {
  readonly budget: Amount
  readonly daily: Amount
  readonly perTx: Amount
  readonly stop: Amount
  /** Null: nothing waits for the owner. */
  readonly approval: Amount | null
}

/** Returns the amounts as policy, budget and bounds leave them, or why they leave none. */
function amountsOf(
  values: TemplateValues,
  params: readonly EditableParam[],
  policy: AgentPolicy | null,
): Amounts | Adoption {
  const within = (value: bigint, item: 'max_budget_usdc' | 'daily_cap_usdc' | 'per_tx_cap_usdc'): Amount => {
    const bound = policy?.[item] ?? null
    return bound === null || usdcUnits(bound) >= value ? { value, by: null } : { value: usdcUnits(bound), by: item }
  }
  const fit = fitterOf(params)
  const budget = within(BUDGET, 'max_budget_usdc')
  const daily = fit.below('daily_cap_usdc', least(within(values.daily_cap_usdc ?? 0n, 'daily_cap_usdc'), budget))
  const perTx = fit.below('per_tx_cap_usdc', least(within(values.per_tx_cap_usdc ?? 0n, 'per_tx_cap_usdc'), daily))
  const stop = fit.above('stop_line_usdc', stopWithin(values.stop_line_usdc ?? 0n, budget))
  const held = approvalWithin(values.approval_above_usdc, policy)
  const approval = held === null ? null : fit.below('approval_above_usdc', least(held, perTx))
  if (perTx.value === 0n) fit.leave('per_tx_cap_usdc', perTx.by)
  if (stop.value >= budget.value) fit.leave('stop_line_usdc', budget.by)
  return fit.left[0] ?? { budget, daily, perTx, stop, approval }
}

/** Returns the lower of two amounts, with what lowered it. */
const least = (one: Amount, other: Amount): Amount =>
  other.value < one.value ? { value: other.value, by: other.by ?? 'other_limit' } : one

/** Returns the stop line with its share of the budget, rounded up. */
const stopWithin = (stop: bigint, { value, by }: Amount): Amount => ({
  value: (stop * value + BUDGET - 1n) / BUDGET,
  by: stop === 0n ? null : by,
})

function approvalWithin(value: bigint | null, policy: AgentPolicy | null): Amount | null {
  const bound = policy?.approval_above_usdc ?? null
  if (bound !== null && (value === null || usdcUnits(bound) < value))
    return { value: usdcUnits(bound), by: 'approval_above_usdc' }
  return value === null ? null : { value, by: null }
}

/** Puts amounts that something changed back on the grids of their params, and collects those that leave their bounds. */
function fitterOf(params: readonly EditableParam[]) {
  const left: Adoption[] = []
  const leave = (field: ParamKey, by: Cause) => void left.push(leavesBounds(field, by))
  const fit =
    (round: typeof onGridBelow) =>
    (field: ParamKey, amount: Amount): Amount => {
      const param = params.find(({ key }) => key === field)
      if (param === undefined || amount.by === null) return amount
      const value = round(boundsOf(param), amount.value)
      if (value === null) leave(field, amount.by)
      return { value: value ?? amount.value, by: amount.by }
    }
  return { left, leave, below: fit(onGridBelow), above: fit(onGridAbove) }
}

/** Whoever chose the params can change an amount that only another limit of the draft pushed out of its bounds. */
const leavesBounds = (field: ParamKey, by: Cause): Adoption =>
  by === null || by === 'other_limit'
    ? {
        kind: 'params',
        errors: [
          {
            pointer: `/params/${field}`,
            code: 'contradicts',
            detail: `does not fit the other limits of a mandate of ${ADOPTED_BUDGET_USDC} USDC: per_tx_cap_usdc must be above 0 and at most daily_cap_usdc, stop_line_usdc below the budget`,
          },
        ],
      }
    : { kind: 'excluded', field, item: by }

function originsOf(params: readonly EditableParam[], amounts: Amounts, narrowed: boolean): Origin[] {
  const chosen = new Set(params.map(({ key }) => key))
  const origin = (field: ParamKey, by: Cause = null): Origin => ({
    field,
    source: by === 'other_limit' ? by : by !== null ? 'policy' : chosen.has(field) ? 'param' : 'template',
  })
  return [
    { field: 'budget_usdc', source: amounts.budget.by === null ? 'suggestion' : 'policy' },
    origin('per_tx_cap_usdc', amounts.perTx.by),
    origin('daily_cap_usdc', amounts.daily.by),
    origin('stop_line_usdc', amounts.stop.by),
    origin('approval_above_usdc', amounts.approval?.by),
    { field: 'markets', source: narrowed ? 'policy' : 'template' },
    origin('days'),
    origin('fee_bps'),
    origin('close_if_silent_minutes'),
  ]
}
