import type { RefusalBlockView } from '@svc/contracts/mandates/verdict'
import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { Resolution } from '../rules/count-fill.ts'

const units = z.string().transform(BigInt)
const reservationRow = z.object({
  order_key: z.string(),
  day: z.number(),
  reserved: units,
  approval_id: z.string().nullable(),
  judgement: z.custom<RefusalBlockView>().nullable(),
  outcome: z.enum(['filled', 'missed']).nullable(),
})
/** An order that was let through; amounts are USDC base units. */
export type Reservation = z.output<typeof reservationRow>

/** Returns the reservation of an order; null without one. */
export function reservationOf(db: Db, mandateId: number, orderKey: string): Promise<Reservation | null> {
  return db.maybeOne(sql.type(reservationRow)`
    SELECT order_key, day, reserved, approval_id, judgement, outcome FROM leg_reservation
    WHERE mandate_id = ${mandateId} AND order_key = ${orderKey}`)
}

/**
 * Reserves the amount of an order. One that is reserved and not resolved keeps its day and gets the new amount. The mandate
 * must be locked.
 */
export async function reserve(
  tx: Tx,
  mandateId: number,
  order: Pick<Reservation, 'order_key' | 'day' | 'reserved' | 'approval_id' | 'judgement'>,
  now: Date,
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO leg_reservation (mandate_id, order_key, day, reserved, approval_id, judgement, reserved_at)
    VALUES (${mandateId}, ${order.order_key}, ${order.day}, ${String(order.reserved)}, ${order.approval_id},
      ${JSON.stringify(order.judgement)}::jsonb, ${now.toISOString()})
    ON CONFLICT (mandate_id, order_key) DO UPDATE SET reserved = excluded.reserved, approval_id = excluded.approval_id,
      judgement = excluded.judgement
    WHERE leg_reservation.outcome IS NULL`)
}

/** Stores what became of an order, also of one without a reservation; the first word stays. The mandate must be locked. */
export async function resolve(
  tx: Tx,
  mandateId: number,
  { key, day }: { readonly key: string; readonly day: number },
  { outcome, used, fee, badFill }: Resolution,
  now: Date,
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO leg_reservation
      (mandate_id, order_key, day, reserved, reserved_at, outcome, used, fee, bad_fill, resolved_at)
    VALUES (${mandateId}, ${key}, ${day}, 0, ${now.toISOString()}, ${outcome}, ${String(used)}, ${String(fee)},
      ${String(badFill)}, ${now.toISOString()})
    ON CONFLICT (mandate_id, order_key) DO UPDATE SET outcome = excluded.outcome, used = excluded.used, fee = excluded.fee,
      bad_fill = excluded.bad_fill, resolved_at = excluded.resolved_at
    WHERE leg_reservation.outcome IS NULL`)
}
