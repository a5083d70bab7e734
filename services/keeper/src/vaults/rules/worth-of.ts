import type { LegPart } from './leg-part.ts'

/** Figures of a vault at one block, in USDC base units. */
export interface Figures {
  readonly balance: bigint
  readonly accounted: bigint
  readonly principal: bigint
  readonly withdrawn: bigint
  readonly feeTotal: bigint
  readonly feeOwed: bigint
  /** What the vault paid to its leg, less what came back. */
  readonly legPaid: bigint
}

/** The positions of a vault at its listed targets. */
export interface Holdings {
  /** A listed target has no exit adapter. */
  readonly uncovered: boolean
  /** The proceeds of closing each position, null without a price; null if a venue could not be read. */
  readonly positions: readonly { readonly value: bigint | null }[] | null
}

/** Why a worth is withheld; a leg adds its own reasons, which begin with `leg_`. */
export type Withheld =
  | 'position_without_adapter'
  | 'position_without_price'
  | 'venue_unreadable'
  | 'readings_disagree'
  | `leg_${string}`

/** A worth and its parts in USDC base units; null with the reason if it is withheld. */
export interface Worth {
  readonly worth: bigint | null
  readonly vaultUsdc: bigint
  /** The part of `vaultUsdc` that is not in the vault's books. */
  readonly unbooked: bigint
  readonly positions: bigint | null
  /** Worth of the leg with its money under way; null for a vault without a leg, and if it is withheld. */
  readonly leg: bigint | null
  /** Leg money that the owner took out of the account, which `worth` has no longer; null as `leg`. */
  readonly drawn: bigint | null
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
export const hasTraded = ({ accounted, withdrawn, feeTotal, legPaid, principal }: Figures): boolean =>
  accounted + withdrawn + feeTotal + legPaid !== principal

/**
 * Returns the vault's worth: its USDC minus the fee it owes, plus the proceeds of closing all positions now, plus what its leg
 * adds; `leg` is null for a vault without one.
 */
export function worthOf(figures: Figures, { uncovered, positions }: Holdings, leg: LegPart | null): Worth {
  const vaultUsdc = figures.balance - figures.feeOwed
  const unbooked = vaultUsdc > figures.accounted ? vaultUsdc - figures.accounted : 0n
  const values = positions?.map(({ value }) => value) ?? null
  const sum =
    values?.every((value) => value !== null) === true ? values.reduce((total, value) => total + value, 0n) : null
  const withheld =
    reasonOf(figures, uncovered, values !== null, sum !== null) ?? (leg?.withheld as Withheld | null) ?? null
  const ofLeg = leg?.worth ?? null
  const drawn = leg?.drawn ?? null
  return withheld === null && sum !== null
    ? { worth: vaultUsdc + sum + (ofLeg ?? 0n), vaultUsdc, unbooked, positions: sum, leg: ofLeg, drawn, withheld: null }
    : {
        worth: null,
        vaultUsdc,
        unbooked,
        positions: withheld === 'position_without_adapter' ? null : sum,
        leg: ofLeg,
        drawn,
        withheld,
      }
}

function reasonOf(figures: Figures, uncovered: boolean, readable: boolean, priced: boolean): Withheld | null {
  if (uncovered && hasTraded(figures)) return 'position_without_adapter'
  if (!readable) return 'venue_unreadable'
  return priced ? null : 'position_without_price'
}
