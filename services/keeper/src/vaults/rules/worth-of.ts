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

/** What a vault holds at its listed targets. */
export interface Holdings {
  /** A listed target has no exit adapter. */
  readonly uncovered: boolean
  /** What leaving each position would pay, null where nobody says; null when a venue could not be read. */
  readonly positions: readonly { readonly value: bigint | null }[] | null
}

/** Why a worth is withheld. */
export type Withheld =
  | 'position_without_adapter'
  | 'position_without_price'
  | 'venue_unreadable'
  | 'leg_money_out'
  | 'readings_disagree'

/** A worth and its parts in USDC base units; null with the reason for which it is withheld. */
export interface Worth {
  readonly worth: bigint | null
  readonly vaultUsdc: bigint
  /** Part of `vaultUsdc` that was sent to the vault and is not in its books. */
  readonly unbooked: bigint
  readonly positions: bigint | null
  readonly withheld: Withheld | null
}

/**
 * Whether money has gone into or come out of targets. Without it a target that no adapter reads holds nothing; a trade
 * that came out even to the unit escapes, and leaves the worth at the principal, which is above the stop line.
 */
export const hasTraded = ({ accounted, withdrawn, feeTotal, legOut, principal }: Figures): boolean =>
  accounted + withdrawn + feeTotal + legOut !== principal

/** The vault's USDC without the fee it owes, and what the venues would pay now for all positions. */
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
  // What is out at the leg is not on this chain's books.
  return figures.legOut > 0n ? 'leg_money_out' : null
}
