import type { mandates } from '@svc/contracts/mandates'
import type { InputOf } from '@svc/contract'
import { usdcText } from '@svc/limits'
import type { NewestRow, Worth } from '#vaults/rules/worth-of.ts'

/** A row of a mandate's worth series. */
export type WorthRow = InputOf<typeof mandates.operations.storeWorth>['rows'][number]['row']

/** A worth with the block in which it was read. */
export interface ValuedAt extends Worth {
  readonly blockNumber: bigint
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
  }
  const equal =
    newest !== null && newest.worth_usdc === row.worth_usdc && newest.withheld_reason === row.withheld_reason
  return equal && at.getTime() - new Date(newest.at).getTime() < heartbeatSec * 1000 ? null : row
}
