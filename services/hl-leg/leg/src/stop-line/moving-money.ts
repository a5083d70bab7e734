import type { LegMandate } from '@svc/contracts/mandates/leg'
import { movingMoney } from '@svc/limits'
import type { Db } from '@svc/postgres'
import { venueTotals } from '#money/rules/venue-totals.ts'
import { transfersOf, type Transfer } from '#money/store/transfers.ts'
import { usdcUnitsDown } from '@svc/venue/rules/usdc-units'

/** Leg money of a mandate between its vault and its account. */
export interface MovingMoney {
  /** When a transfer last changed its state; null if there is none. */
  readonly changedAt: Date | null
  /** Returns what is in neither the vault nor an account that was read at an instant, in base units. */
  movingAt(mandate: LegMandate, readAt: Date): bigint
}

/** Reads the transfers of mandates; each has its money, also without a transfer. */
export async function moneyOfEach(db: Db, publicIds: readonly string[]): Promise<(publicId: string) => MovingMoney> {
  const rows = Map.groupBy(await transfersOf(db, publicIds), ({ public_id }) => public_id)
  return (publicId) => moneyOf(rows.get(publicId) ?? [])
}

function moneyOf(rows: readonly Transfer[]): MovingMoney {
  const counted = rows.map(({ kind, amount, venue_at }) => ({ kind, amount, venueAt: venue_at?.getTime() ?? null }))
  const newest = Math.max(0, ...rows.map(({ changed_at }) => changed_at.getTime()))
  return {
    changedAt: newest === 0 ? null : new Date(newest),
    movingAt: ({ vault }, readAt) =>
      vault === null
        ? 0n
        : movingMoney(
            { funded: usdcUnitsDown(vault.leg_out_usdc), returned: 0n },
            venueTotals(counted, readAt.getTime()),
          ),
  }
}
