import { allowsMore, usdcText } from '@svc/limits'
import type { AgentPolicy } from '@svc/contracts/identity/policy'
import { typedUnits, unitsOf } from '../../lib/money.ts'

/** The eight items of a policy, in their order. */
export const policyItems = [
  'accepts_mandates',
  'max_open_mandates',
  'max_budget_usdc',
  'per_tx_cap_usdc',
  'daily_cap_usdc',
  'allowed_markets',
  'approval_above_usdc',
  'daily_cherry_budget',
] as const satisfies readonly (keyof AgentPolicy)[]
export type PolicyItem = (typeof policyItems)[number]

/** How a change affects what an agent may take on. */
export type Direction = 'tighten' | 'widen' | 'mixed'

/** One changed item. */
export interface Change {
  readonly item: PolicyItem
  readonly before: AgentPolicy[PolicyItem]
  readonly after: AgentPolicy[PolicyItem]
  readonly direction: Direction
}

type Judge = (value: AgentPolicy, bound: AgentPolicy) => boolean

const usdcOrNull = (text: string | null): bigint | null => (text === null ? null : unitsOf(text))
const countOrNull = (count: number | null): bigint | null => (count === null ? null : BigInt(count))
/** Whether `value` allows more than `bound` by the rule of approvals: null is unlimited, the lower the tighter. */
const above = (value: bigint | null, bound: bigint | null) => allowsMore('approvalAbove', value, bound)

const MORE: Readonly<Record<PolicyItem, Judge>> = {
  accepts_mandates: (value, bound) => value.accepts_mandates && !bound.accepts_mandates,
  max_open_mandates: (value, bound) =>
    above(countOrNull(value.max_open_mandates), countOrNull(bound.max_open_mandates)),
  max_budget_usdc: (value, bound) => above(usdcOrNull(value.max_budget_usdc), usdcOrNull(bound.max_budget_usdc)),
  per_tx_cap_usdc: (value, bound) => above(usdcOrNull(value.per_tx_cap_usdc), usdcOrNull(bound.per_tx_cap_usdc)),
  daily_cap_usdc: (value, bound) => above(usdcOrNull(value.daily_cap_usdc), usdcOrNull(bound.daily_cap_usdc)),
  allowed_markets: ({ allowed_markets: value }, { allowed_markets: bound }) =>
    value === null ? bound !== null : bound !== null && allowsMore('markets', value, bound),
  approval_above_usdc: (value, bound) =>
    above(usdcOrNull(value.approval_above_usdc), usdcOrNull(bound.approval_above_usdc)),
  daily_cherry_budget: (value, bound) =>
    above(countOrNull(value.daily_cherry_budget), countOrNull(bound.daily_cherry_budget)),
}

/** Returns the items in which two policies differ, each with its direction, in the order of the policy. */
export function changesOf(before: AgentPolicy, after: AgentPolicy): readonly Change[] {
  return policyItems.flatMap((item) => {
    const [more, less] = [MORE[item](after, before), MORE[item](before, after)]
    if (!more && !less) return []
    const direction = more && less ? 'mixed' : more ? 'widen' : 'tighten'
    return [{ item, before: before[item], after: after[item], direction }]
  })
}

/** Returns true if a change lets the agent do something that it could not do before, which the owner must confirm. */
export const allowsAnything = (changes: readonly Change[]): boolean =>
  changes.some(({ direction }) => direction !== 'tighten')

/** The fields of the form: text as it was typed. `unlimited` items have an empty text. */
export interface PolicyForm {
  readonly accepts_mandates: boolean
  readonly max_open_mandates: string
  readonly max_budget_usdc: string
  readonly per_tx_cap_usdc: string
  readonly daily_cap_usdc: string
  readonly approval_above_usdc: string
  readonly daily_cherry_budget: string
  /** Null allows every market. */
  readonly allowed_markets: readonly string[] | null
}
/** Items that a person types; an empty text sets no limit. */
export const typedItems = [
  'max_open_mandates',
  'max_budget_usdc',
  'per_tx_cap_usdc',
  'daily_cap_usdc',
  'approval_above_usdc',
  'daily_cherry_budget',
] as const
export type TypedItem = (typeof typedItems)[number]

/** Why a typed text is not a value: `amount` for USDC, `count` for whole numbers. */
export type Fault = 'amount' | 'count'

const COUNT = /^(?:0|[1-9]\d{0,14})$/
const COUNTS: Readonly<Partial<Record<TypedItem, number>>> = {
  max_open_mandates: 100_000,
  daily_cherry_budget: Number.MAX_SAFE_INTEGER,
}

/** Returns the form of a policy. */
export const formOf = (policy: AgentPolicy): PolicyForm => ({
  accepts_mandates: policy.accepts_mandates,
  allowed_markets: policy.allowed_markets,
  ...(Object.fromEntries(typedItems.map((item) => [item, policy[item] === null ? '' : String(policy[item])])) as Record<
    TypedItem,
    string
  >),
})

/** Reads a form: the policy, or the items that are no values. An amount may have spaces, or commas between thousands. */
export function readForm(
  form: PolicyForm,
):
  | { readonly policy: AgentPolicy; readonly faults: null }
  | { readonly policy: null; readonly faults: Partial<Record<TypedItem, Fault>> } {
  const faults: Partial<Record<TypedItem, Fault>> = {}
  const amount = (item: TypedItem): string | null => {
    if (form[item].trim() === '') return null
    const units = typedUnits(form[item])
    if (units === null) faults[item] = 'amount'
    return units === null ? null : usdcText(units)
  }
  const count = (item: TypedItem): number | null => {
    const typed = form[item].replace(/\s/g, '')
    if (typed === '') return null
    const value = Number(typed)
    if (!COUNT.test(typed) || value > (COUNTS[item] ?? 0)) faults[item] = 'count'
    return value
  }
  const policy: AgentPolicy = {
    accepts_mandates: form.accepts_mandates,
    max_open_mandates: count('max_open_mandates'),
    max_budget_usdc: amount('max_budget_usdc'),
    per_tx_cap_usdc: amount('per_tx_cap_usdc'),
    daily_cap_usdc: amount('daily_cap_usdc'),
    allowed_markets: form.allowed_markets === null ? null : form.allowed_markets.toSorted(),
    approval_above_usdc: amount('approval_above_usdc'),
    daily_cherry_budget: count('daily_cherry_budget'),
  }
  return Object.keys(faults).length === 0 ? { policy, faults: null } : { policy: null, faults }
}
