/** Value of each kind of limit. Amounts are USDC base units. */
interface KindValues {
  readonly usdc: bigint
  /** Null sets no limit. */
  readonly usdcOrNull: bigint | null
  /** Null without a leg. */
  readonly legUsdc: bigint | null
  /** Null sets no limit. */
  readonly minutesOrNull: number | null
  readonly markets: readonly string[]
  readonly instant: Date
  readonly bps: number
  readonly flag: boolean
}

/** Value that a draft gets if nobody sets the field. Shares are basis points of another limit. */
type Preset =
  | { readonly value: bigint | number | boolean | null }
  | { readonly of: 'budget' | 'perTxCap'; readonly share: bigint; readonly cautiousShare: bigint }
  | { readonly days: number }

/** A field of a mandate's limits. */
interface LimitField {
  readonly kind: keyof KindValues
  /** Name in bodies and answers of the API. */
  readonly wire: string
  /** Column of the table `mandate`. */
  readonly column: string
  /**
   * Number and title of the clause whose figure the field is; null for the leg's budget, which clause 1 names next to its own
   * figure, and for a field that the owner does not sign.
   */
  readonly clause: { readonly number: number; readonly title: string } | null
  /** Which of two values allows the agent less; null if values are not compared. */
  readonly tighter: 'lower' | 'higher' | 'fewer' | null
  /** Null if the value depends on the market catalogue. */
  readonly preset: Preset | null
  /** Description in the API documents. */
  readonly text: string
  /** Value in the examples of the API documents; those of all fields form limits that a draft may have. */
  readonly example: unknown
}

/** Every field of a mandate's limits, in the order of bodies and answers. `Limits` and all conversions follow from it. */
export const limitFields = {
  budget: {
    kind: 'usdc',
    wire: 'budget_usdc',
    column: 'budget',
    clause: { number: 1, title: 'Budget' },
    tighter: 'lower',
    preset: { value: 500_000_000n },
    text: 'Clause 1: the most that may be paid in',
    example: '500',
  },
  perTxCap: {
    kind: 'usdc',
    wire: 'per_tx_cap_usdc',
    column: 'per_tx_cap',
    clause: { number: 2, title: 'Per-transaction cap' },
    tighter: 'lower',
    preset: { of: 'budget', share: 1_000n, cautiousShare: 500n },
    text: 'Clause 2: the most that one call, or one opening order at the leg, may spend',
    example: '50',
  },
  dailyCap: {
    kind: 'usdc',
    wire: 'daily_cap_usdc',
    column: 'daily_cap',
    clause: { number: 3, title: 'Daily cap' },
    tighter: 'lower',
    preset: { of: 'budget', share: 3_000n, cautiousShare: 1_500n },
    text: 'Clause 3: the most that all calls and opening orders of a UTC day may spend',
    example: '150',
  },
  /** Zero switches the stop line off. */
  stopLine: {
    kind: 'usdc',
    wire: 'stop_line_usdc',
    column: 'stop_line',
    clause: { number: 7, title: 'Stop line' },
    tighter: 'higher',
    preset: { of: 'budget', share: 8_000n, cautiousShare: 9_000n },
    text: 'Clause 7: the worth at which the vault stops the agent; "0" switches the stop line off',
    example: '400',
  },
  /** Null: no call needs an approval. Zero: every call that spends does. */
  approvalAbove: {
    kind: 'usdcOrNull',
    wire: 'approval_above_usdc',
    column: 'approval_above',
    clause: { number: 6, title: 'Approval amount' },
    tighter: 'lower',
    preset: { of: 'perTxCap', share: 5_000n, cautiousShare: 2_500n },
    text: 'Clause 6: a call or opening order that spends more waits for the owner; with null none waits, with "0" every one',
    example: '25',
  },
  markets: {
    kind: 'markets',
    wire: 'markets',
    column: 'markets',
    clause: { number: 4, title: 'Allowed markets' },
    tighter: 'fewer',
    preset: null,
    text: 'Clause 4: market ids of GET /hub/markets',
    example: ['testvenue'],
  },
  /** The agent may act before it, and no longer at it. */
  endsAt: {
    kind: 'instant',
    wire: 'ends_at',
    column: 'ends_at',
    clause: { number: 5, title: 'End date' },
    tighter: 'lower',
    preset: { days: 30 },
    text: 'Clause 5: the end, a whole second, 1 hour to 365 days ahead, with a leg at most 170',
    example: '2027-06-30T12:00:00.000Z',
  },
  feeBps: {
    kind: 'bps',
    wire: 'fee_bps',
    column: 'fee_bps',
    clause: { number: 8, title: 'Fee and settlement' },
    tighter: 'lower',
    preset: { value: 1_000 },
    text: "Clause 8: the agent's share of the profit in basis points, at most 3000",
    example: 1000,
  },
  hlLeg: {
    kind: 'flag',
    wire: 'hl_leg',
    column: 'hl_leg',
    clause: null,
    tighter: null,
    preset: null,
    text: "Whether the agent also trades in the owner's own venue account; requires a market whose id begins with hl:",
    example: false,
  },
  /** Null without a leg. Zero while leg funding is off: then no money of the vault goes to the leg. */
  legBudget: {
    kind: 'legUsdc',
    wire: 'leg_budget_usdc',
    column: 'leg_budget',
    clause: null,
    tighter: null,
    // Of a mandate whose markets are not all of the leg.
    preset: { of: 'budget', share: 5_000n, cautiousShare: 5_000n },
    text: 'Part of the budget that may be out at the leg at one time, signed in clause 1; by default the whole budget if all markets begin with hl:, else required. Null without a leg, "0" while leg funding is off',
    example: null,
  },
  closeIfSilent: {
    kind: 'minutesOrNull',
    wire: 'close_if_silent_minutes',
    column: 'close_if_silent_minutes',
    clause: null,
    tighter: null,
    preset: { value: null },
    text: 'Minutes, 15 to 10080, without a request of the agent that names the mandate, after which its positions at the leg are closed; null never closes them. For a mandate with a leg only',
    example: null,
  },
  /** Not signed, and no limit of the agent: what the Hall may tell of the vault. */
  publicProof: {
    kind: 'flag',
    wire: 'public_proof',
    column: 'public_proof',
    clause: null,
    tighter: null,
    preset: { value: false },
    text: 'Whether the Hall names the vault, so that anybody can check the record of the agent against the chain. It shows your wallet and every amount, for good',
    example: false,
  },
} as const satisfies Readonly<Record<string, LimitField>>

type Fields = typeof limitFields
export type LimitName = keyof Fields
export type LimitKind = LimitField['kind']

/** The limits of a mandate. Amounts are USDC base units. */
export type Limits = { readonly [Name in LimitName]: KindValues[Fields[Name]['kind']] }

/** Names of the fields, in the order of the list. */
export const limitNames = Object.keys(limitFields) as readonly LimitName[]

/** Names of the fields that a clause states as one figure. */
type FigureName = {
  [Name in LimitName]: Fields[Name]['clause'] extends null
    ? never
    : Fields[Name]['kind'] extends 'markets'
      ? never
      : Name
}[LimitName]

/** The signed figures as the terms state them: USDC base units, Unix seconds, basis points. */
export type Figures = { readonly [Name in FigureName]: null extends Limits[Name] ? bigint | null : bigint }

/** Names of the signed figures, in the order of the list. */
export const figureNames = limitNames.filter(
  (name): name is FigureName => limitFields[name].clause !== null && limitFields[name].kind !== 'markets',
)

/** Returns the figures of limits as the terms state them. Milliseconds of the end are cut off. */
export function figuresOf(limits: Limits): Figures {
  const figure = (value: Limits[FigureName]) =>
    value instanceof Date ? BigInt(Math.floor(value.getTime() / 1000)) : value === null ? null : BigInt(value)
  return Object.fromEntries(figureNames.map((name) => [name, figure(limits[name])])) as Figures
}

/** Returns true if `value` allows the agent more than `bound`; null as a bound allows everything. */
export function allowsMore<Name extends LimitName>(
  name: Name,
  value: Limits[Name],
  bound: Limits[Name] | null,
): boolean {
  const { tighter }: LimitField = limitFields[name]
  if (bound === null || tighter === null) return false
  if (value === null) return true
  if (tighter === 'fewer') return (value as Limits['markets']).some((id) => !(bound as Limits['markets']).includes(id))
  return tighter === 'lower' ? value > bound : value < bound
}

/** Returns the one of two values that allows the agent less. */
export const tighterOf = <Name extends LimitName>(name: Name, one: Limits[Name], other: Limits[Name]): Limits[Name] =>
  allowsMore(name, one, other) ? other : one

type FixedName = {
  [Name in LimitName]: Fields[Name]['preset'] extends { readonly value: unknown } ? Name : never
}[LimitName]

/** Presets that depend on nothing else. */
export const fixedPresets = Object.fromEntries(
  limitNames.flatMap((name) => {
    const { preset }: LimitField = limitFields[name]
    return preset !== null && 'value' in preset ? [[name, preset.value]] : []
  }),
) as Pick<Limits, FixedName>
