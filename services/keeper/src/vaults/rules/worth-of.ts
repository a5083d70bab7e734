/** Figures of a vault at one block, in USDC base units. */
export interface Figures {
  readonly balance: bigint
  readonly accounted: bigint
  readonly principal: bigint
  readonly withdrawn: bigint
  readonly feeTotal: bigint
  readonly feeOwed: bigint
  readonly legOut: bigint
}

/** The positions of a vault at its listed targets. */
export interface Holdings {
  /** A listed target has no exit adapter. */
  readonly uncovered: boolean
  /** The proceeds of closing each position, null without a price; null if a venue could not be read. */
  readonly positions: readonly { readonly value: bigint | null }[] | null
}

/** Why a worth is withheld. */
export type Withheld =
  | 'position_without_adapter'
  | 'position_without_price'
  | 'venue_unreadable'
  | 'leg_money_out'
  | 'readings_disagree'

/** A worth and its parts in USDC base units; null with the reason if it is withheld. */
export interface Worth {
  readonly worth: bigint | null
  readonly vaultUsdc: bigint
  /** The part of `vaultUsdc` that is not in the vault's books. */
  readonly unbooked: bigint
  readonly positions: bigint | null
  readonly withheld: Withheld | null
}

/** The newest row of a worth series. */
export interface NewestRow {
  readonly at: string
  readonly worth_usdc: string | null
  readonly withheld_reason: string | null
}

/**
 * Returns whether money has moved to or from targets. If not, a target without an adapter has no position. A trade that
 * breaks exactly even is not detected; the worth is then the principal, which is above the stop line.
 */
export const hasTraded = ({ accounted, withdrawn, feeTotal, legOut, principal }: Figures): boolean =>
  accounted + withdrawn + feeTotal + legOut !== principal

/** Returns the vault's worth: its USDC minus the fee it owes, plus the proceeds of closing all positions now. */
export function worthOf(figures: Figures, { uncovered, positions }: Holdings): Worth {
  const vaultUsdc = figures.balance - figures.feeOwed
  const unbooked = vaultUsdc > figures.accounted ? vaultUsdc - figures.accounted : 0n
  const values = positions?.map(({ value }) => value) ?? null
  const sum =
    values?.every((value) => value !== null) === true ? values.reduce((total, value) => total + value, 0n) : null
  const withheld = reasonOf(figures, uncovered, values !== null, sum !== null)
  return withheld === null && sum !== null
    ? { worth: vaultUsdc + sum, vaultUsdc, unbooked, positions: sum, withheld: null }
    : { worth: null, vaultUsdc, unbooked, positions: withheld === 'position_without_adapter' ? null : sum, withheld }
}

function reasonOf(figures: Figures, uncovered: boolean, readable: boolean, priced: boolean): Withheld | null {
  if (uncovered && hasTraded(figures)) return 'position_without_adapter'
  if (!readable) return 'venue_unreadable'
  if (!priced) return 'position_without_price'
  // Money at the leg is not on this chain.
  return figures.legOut > 0n ? 'leg_money_out' : null
}
