import { isLegMarket } from '@svc/limits'
import type { DraftFigures } from '../../lib/judge.ts'
import { exactAmount, typedUnits, unitsOf } from '../../lib/money.ts'
import type { Answer } from '../../lib/routes-of-api.ts'

/** Limits as the service writes them. */
export type WireLimits = Extract<Answer<'POST /hub/mandates/draft'>, { readonly problems: unknown }>['draft']

/** Amounts that a person sets, by their names in the API. */
export const amountNames = [
  'budget_usdc',
  'per_tx_cap_usdc',
  'daily_cap_usdc',
  'approval_above_usdc',
  'stop_line_usdc',
] as const
export type AmountName = (typeof amountNames)[number]

/** What a person has filled in. Amounts and the fee are as typed. */
export interface Form {
  readonly name: string
  readonly amounts: Readonly<Record<AmountName, string>>
  /** No trade waits for the owner. */
  readonly neverAsks: boolean
  /** No worth stops the agent. */
  readonly noStopLine: boolean
  readonly markets: readonly string[]
  /** RFC 3339, a whole second. */
  readonly endsAt: string
  /** Percent of the profit. */
  readonly fee: string
  /** The most that may be out at the leg, as typed; counts only with a market of the leg. */
  readonly legBudget: string
  readonly publicProof: boolean
}

/** Returns the form of limits that the service wrote. */
export function formOf(limits: WireLimits): Form {
  const asks = limits.approval_above_usdc
  return {
    name: limits.name,
    amounts: {
      budget_usdc: limits.budget_usdc,
      per_tx_cap_usdc: limits.per_tx_cap_usdc,
      daily_cap_usdc: limits.daily_cap_usdc,
      // The switch keeps a figure to come back to.
      approval_above_usdc: asks ?? limits.per_tx_cap_usdc,
      stop_line_usdc: limits.stop_line_usdc,
    },
    neverAsks: asks === null,
    noStopLine: unitsOf(limits.stop_line_usdc) === 0n,
    markets: limits.markets,
    endsAt: limits.ends_at,
    fee: percentOf(limits.fee_bps),
    legBudget: limits.leg_budget_usdc ?? '',
    publicProof: limits.public_proof,
  }
}

const percentOf = (bps: number): string => String(bps / 100)

/** Returns a typed percentage in basis points; null unless it has at most two decimals and is at most 100. */
export function typedBps(text: string): number | null {
  const [, whole, fraction = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? []
  if (whole === undefined) return null
  const bps = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  return bps <= 10_000 ? bps : null
}

/** Returns whether a form has a market of the leg. */
export const hasLeg = ({ markets }: Form): boolean => markets.some(isLegMarket)

/** Returns the figures of a form; null while one of them cannot be read. */
export function figuresOf(form: Form): DraftFigures | null {
  const units = (name: AmountName) => typedUnits(form.amounts[name])
  const [budget, perTxCap, dailyCap] = [units('budget_usdc'), units('per_tx_cap_usdc'), units('daily_cap_usdc')]
  const approvalAbove = form.neverAsks ? null : units('approval_above_usdc')
  const stopLine = form.noStopLine ? 0n : units('stop_line_usdc')
  const fee = typedBps(form.fee)
  if (budget === null || perTxCap === null || dailyCap === null || stopLine === null || fee === null) return null
  if (!form.neverAsks && approvalAbove === null) return null
  return { budget, perTxCap, dailyCap, approvalAbove, stopLine, feeBps: BigInt(fee) }
}

/** A rule that the form breaks, with the bound that it names. */
export interface FormFault {
  readonly rule:
    | 'unread'
    | 'zero'
    | 'above_day'
    | 'above_budget'
    | 'not_below_budget'
    | 'above_trade'
    | 'too_early'
    | 'too_late'
    | 'fee_unread'
    | 'fee_too_large'
    | 'no_market'
    | 'no_name'
  /** The bound, in base units, days or percent. */
  readonly bound: bigint | null
}

export type FaultPlace = AmountName | 'name' | 'markets' | 'ends_at' | 'fee_bps' | 'leg_budget_usdc'
export type FormFaults = Readonly<Partial<Record<FaultPlace, FormFault>>>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DAYS_MAX = 365
/** With a leg the key at the venue ends sooner. */
const LEG_DAYS_MAX = 170
export const FEE_BPS_MAX = 3_000

/** Returns the rules that a form breaks, at most one for each field. The service judges again. */
export function faultsOf(form: Form, now: number): FormFaults {
  return {
    ...amountFaults(form),
    ...(form.name.trim() === '' ? { name: { rule: 'no_name', bound: null } } : {}),
    ...(form.markets.length === 0 ? { markets: { rule: 'no_market', bound: null } } : {}),
    ...endFaults(form, now),
    ...feeFaults(form),
  }
}

function amountFaults(form: Form): FormFaults {
  const units = Object.fromEntries(amountNames.map((name) => [name, typedUnits(form.amounts[name])])) as Record<
    AmountName,
    bigint | null
  >
  const found: Partial<Record<FaultPlace, FormFault>> = {}
  const fault = (place: FaultPlace, rule: FormFault['rule'], bound: bigint | null = null) => {
    found[place] ??= { rule, bound }
  }
  for (const name of amountNames) {
    const isOff = (name === 'approval_above_usdc' && form.neverAsks) || (name === 'stop_line_usdc' && form.noStopLine)
    if (units[name] === null && !isOff) fault(name, 'unread')
  }
  const { budget_usdc: budget, per_tx_cap_usdc: trade, daily_cap_usdc: day } = units
  const { approval_above_usdc: asks, stop_line_usdc: line } = units
  if (budget === 0n) fault('budget_usdc', 'zero')
  if (trade === 0n) fault('per_tx_cap_usdc', 'zero')
  if (trade !== null && day !== null && trade > day) fault('per_tx_cap_usdc', 'above_day', day)
  if (day !== null && budget !== null && day > budget) fault('daily_cap_usdc', 'above_budget', budget)
  if (!form.noStopLine && line !== null && budget !== null && line >= budget)
    fault('stop_line_usdc', 'not_below_budget', budget)
  if (!form.neverAsks && asks !== null && trade !== null && asks > trade)
    fault('approval_above_usdc', 'above_trade', trade)
  if (hasLeg(form)) {
    const leg = typedUnits(form.legBudget)
    if (leg === null) fault('leg_budget_usdc', 'unread')
    else if (budget !== null && leg > budget) fault('leg_budget_usdc', 'above_budget', budget)
  }
  return found
}

function endFaults(form: Form, now: number): FormFaults {
  const ahead = new Date(form.endsAt).getTime() - now
  const days = hasLeg(form) ? LEG_DAYS_MAX : DAYS_MAX
  if (!(ahead >= HOUR_MS)) return { ends_at: { rule: 'too_early', bound: null } }
  if (ahead > days * DAY_MS) return { ends_at: { rule: 'too_late', bound: BigInt(days) } }
  return {}
}

function feeFaults({ fee }: Form): FormFaults {
  const bps = typedBps(fee)
  if (bps === null) return { fee_bps: { rule: 'fee_unread', bound: null } }
  return bps > FEE_BPS_MAX ? { fee_bps: { rule: 'fee_too_large', bound: BigInt(FEE_BPS_MAX / 100) } } : {}
}

/** Returns the limits of a form without faults as the API takes them. */
export function limitsOf(form: Form): WireLimits {
  const exact = (text: string) => exactAmount(typedUnits(text) ?? 0n)
  const leg = hasLeg(form)
  return {
    name: form.name.trim(),
    budget_usdc: exact(form.amounts.budget_usdc),
    per_tx_cap_usdc: exact(form.amounts.per_tx_cap_usdc),
    daily_cap_usdc: exact(form.amounts.daily_cap_usdc),
    stop_line_usdc: form.noStopLine ? '0' : exact(form.amounts.stop_line_usdc),
    approval_above_usdc: form.neverAsks ? null : exact(form.amounts.approval_above_usdc),
    markets: [...form.markets],
    ends_at: form.endsAt,
    fee_bps: typedBps(form.fee) ?? 0,
    hl_leg: leg,
    leg_budget_usdc: leg ? exact(form.legBudget) : null,
    close_if_silent_minutes: null,
    public_proof: form.publicProof,
  }
}

/** Returns the names of the limits in which a stored draft differs from what the person set. */
export function storedDifferences(set: WireLimits, stored: Omit<WireLimits, 'name'>): readonly string[] {
  const { name: _, ...figures } = set
  return Object.entries(figures).flatMap(([name, value]) =>
    JSON.stringify(value) === JSON.stringify(Reflect.get(stored, name)) ? [] : [name],
  )
}

/** Ends of the sliders of a budget, in USDC. */
const BUDGET_ENDS = [2_000, 10_000, 50_000, 250_000, 1_000_000, 10_000_000] as const
const WHOLE = 1_000_000n

/** Returns the end of the slider of an amount, in whole USDC: each limit slides below the one that bounds it. */
export function slideEnd(name: AmountName, form: Form): number {
  const whole = (of: AmountName) => Number((typedUnits(form.amounts[of]) ?? 0n) / WHOLE)
  if (name === 'budget_usdc') return BUDGET_ENDS.find((end) => end >= whole(name)) ?? whole(name)
  const bound = name === 'approval_above_usdc' ? whole('per_tx_cap_usdc') : whole('budget_usdc')
  return Math.max(bound, 1)
}

/** Returns the step of a slider that ends there: about two hundred places. */
export function slideStep(end: number): number {
  const rough = end / 200
  return [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000, 10_000, 50_000].find((step) => step >= rough) ?? 100_000
}
