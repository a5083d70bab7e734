import type { mandates } from '@svc/contracts/mandates'
import { MARKED_POSITIONS_MAX } from '@svc/contracts/mandates/worth'
import type { InputOf } from '@svc/contract'
import { usdcText } from '@svc/limits'
import type { NewestRow, Worth } from '#vaults/rules/worth-of.ts'

/** A row of a mandate's worth series. */
export type WorthRow = InputOf<typeof mandates.operations.storeWorth>['rows'][number]['row']

/** A worth with the block in which it was read. */
export interface ValuedAt extends Worth {
  readonly blockNumber: bigint
  /** The positions of the vault, in base units; null if a venue could not be read. */
  readonly held: readonly HeldPosition[] | null
}

/** A position in base units; its value is null without a price. */
interface HeldPosition {
  readonly name: string
  readonly units: bigint
  readonly value: bigint | null
}

/** Returns the largest positions as a row has them; null if one has no price: a list without it would say that it was sold. */
function markedPositions({ positions, held }: ValuedAt): WorthRow['positions'] {
  const priced = held?.flatMap(({ name, units, value }) => (value === null ? [] : [{ name, units, value }])) ?? []
  if (positions === null || held === null || priced.length < held.length) return null
  const largest = priced.toSorted((one, other) => (one.value < other.value ? 1 : one.value > other.value ? -1 : 0))
  return largest
    .slice(0, MARKED_POSITIONS_MAX)
    .map(({ name, units, value }) => ({ asset: name, units: usdcText(units), worth_usdc: usdcText(value) }))
}

/** Returns the row to store now; null while the newest row is equal and younger than the heartbeat. */
export function worthRowOf(
  valued: ValuedAt,
  newest: NewestRow | null,
  at: Date,
  heartbeatSec: number,
): WorthRow | null {
  const text = (amount: bigint | null) => (amount === null ? null : usdcText(amount))
  const row: WorthRow = {
    at: at.toISOString(),
    worth_usdc: text(valued.worth),
    vault_usdc: usdcText(valued.vaultUsdc),
    unbooked_usdc: usdcText(valued.unbooked),
    positions_usdc: text(valued.positions),
    leg_usdc: text(valued.leg),
    drawn_usdc: text(valued.drawn),
    source: 'keeper',
    block_number: Number(valued.blockNumber),
    withheld_reason: valued.withheld,
    positions: markedPositions(valued),
  }
  const equal =
    newest !== null && newest.worth_usdc === row.worth_usdc && newest.withheld_reason === row.withheld_reason
  return equal && at.getTime() - new Date(newest.at).getTime() < heartbeatSec * 1000 ? null : row
}
