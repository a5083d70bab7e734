import type { RefusalBlockView } from '@svc/contracts/mandates/verdict'
import { sql, units, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import { dayUse, dayUseRow, utcDayOf, type DayUse } from '#approvals/store/day-use.ts'
import { vaultRow } from '#books/store/vaults.ts'
import type { Resolution } from '../rules/count-fill.ts'

/** The row of a reservation, as statements return it, also within another one. */
export const reservationRow = z.object({
  order_key: z.string(),
  day: z.number(),
  reserved: units,
  approval_id: z.string().nullable(),
  judgement: z.custom<RefusalBlockView>().nullable(),
  outcome: z.enum(['filled', 'missed', 'withdrawn']).nullable(),
})
/** An order that was let through; amounts are USDC base units. */
export type Reservation = z.output<typeof reservationRow>

/** The reservation of an order as JSON; null without one. */
export const reservationJson = (mandateId: number, orderKey: string) => sql.fragment`
  (SELECT jsonb_build_object('order_key', order_key, 'day', day, 'reserved', reserved::text, 'approval_id', approval_id,
      'judgement', judgement, 'outcome', outcome)
    FROM leg_reservation WHERE mandate_id = ${mandateId} AND order_key = ${orderKey})`

const endingRow = z.object({ known: reservationRow.nullable(), vault: vaultRow.nullable() })

/** Returns what an order that ended had reserved, with the vault of its mandate. */
export function orderEndingOf(db: Db, mandateId: number, orderKey: string): Promise<z.output<typeof endingRow>> {
  return db.one(sql.prepared('order_ending_of', endingRow)`
    SELECT ${reservationJson(mandateId, orderKey)} AS known,
      (SELECT to_jsonb(v) FROM vault v WHERE mandate_id = ${mandateId}) AS vault`)
}

/** The use of the daily cap after a statement that has written the reservation of an order and returns its row as `kept`. */
const useAfter = (mandateId: number, orderKey: string, now: Date) => {
  const day = utcDayOf(now)
  // The statement sees the rows as they were before it: that of the order is taken from it, unless it wrote none.
  return dayUse(
    mandateId,
    now,
    sql.fragment`
      SELECT used, reserved, outcome FROM leg_reservation
      WHERE mandate_id = ${mandateId} AND day = ${day} AND (order_key <> ${orderKey} OR NOT EXISTS (SELECT FROM kept))
      UNION ALL SELECT used, reserved, outcome FROM kept WHERE day = ${day}`,
  )
}

/** The row of an order that is not resolved: the last refusal or resolution counts. */
const isOpen = sql.fragment`coalesce(leg_reservation.outcome, 'withdrawn') = 'withdrawn'`

/**
 * Reserves the amount of an order on the day by whose sum it was judged. One that is reserved and not resolved, or was
 * withdrawn, gets the new amount and day, so that no order uses the cap of a day in which it does not count. Returns the use
 * of the daily cap after it. The mandate must be locked.
 */
export function reserve(
  tx: Tx,
  mandateId: number,
  order: Pick<Reservation, 'order_key' | 'day' | 'reserved' | 'approval_id' | 'judgement'>,
  now: Date,
): Promise<DayUse> {
  return tx.one(sql.prepared('reserve', dayUseRow)`
    WITH kept AS (
    INSERT INTO leg_reservation (mandate_id, order_key, day, reserved, approval_id, judgement, reserved_at)
    VALUES (${mandateId}, ${order.order_key}, ${order.day}, ${String(order.reserved)}, ${order.approval_id},
      ${JSON.stringify(order.judgement)}::jsonb, ${now.toISOString()})
    ON CONFLICT (mandate_id, order_key) DO UPDATE SET reserved = excluded.reserved, approval_id = excluded.approval_id,
      judgement = excluded.judgement, outcome = NULL, resolved_at = NULL,
      day = greatest(leg_reservation.day, excluded.day)
    WHERE ${isOpen}
    RETURNING day, used, reserved, outcome)
    ${useAfter(mandateId, order.order_key, now)}`)
}

/** Ends the reservation of an order that was refused when it was asked about again. The mandate must be locked. */
export async function withdraw(tx: Tx, mandateId: number, orderKey: string, now: Date): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE leg_reservation SET outcome = 'withdrawn', resolved_at = ${now.toISOString()}
    WHERE mandate_id = ${mandateId} AND order_key = ${orderKey} AND outcome IS NULL`)
}

/**
 * Stores what became of an order, also of one without a reservation; the first word stays. Returns the use of the daily cap
 * after it. The mandate must be locked.
 */
export function resolve(
  tx: Tx,
  mandateId: number,
  { key, day, by }: { readonly key: string; readonly day: number; readonly by: 'owner' | 'agent' | 'stop_line' },
  { outcome, used, notional, fee, badFill }: Resolution,
  now: Date,
): Promise<DayUse> {
  return tx.one(sql.prepared('resolve_reservation', dayUseRow)`
    WITH kept AS (
    INSERT INTO leg_reservation
      (mandate_id, order_key, day, reserved, reserved_at, ordered_by, outcome, used, notional, fee, bad_fill, resolved_at)
    VALUES (${mandateId}, ${key}, ${day}, 0, ${now.toISOString()}, ${by}, ${outcome}, ${String(used)},
      ${String(notional)}, ${String(fee)}, ${String(badFill)}, ${now.toISOString()})
    ON CONFLICT (mandate_id, order_key) DO UPDATE SET ordered_by = excluded.ordered_by, outcome = excluded.outcome,
      used = excluded.used, notional = excluded.notional, fee = excluded.fee, bad_fill = excluded.bad_fill,
      resolved_at = excluded.resolved_at
    WHERE ${isOpen}
    RETURNING day, used, reserved, outcome)
    ${useAfter(mandateId, key, now)}`)
}
