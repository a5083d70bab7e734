import { sql, units, type Db } from '@svc/postgres'
import { z } from 'zod'

/** What counts against the daily cap beside the calls that the chain shows, in base units. */
export const dayUseRow = z.object({
  /** Held by open calls. */
  held_calls: units,
  /** Held by open orders of the leg. */
  held_orders: units,
  /** Number of items that wait for the owner. */
  pending: z.number(),
  /** Fills of orders that opened, of today's reservations. */
  leg_used: units,
  /** Reserved today for orders that are not resolved. */
  reserved: units,
})
export type DayUse = z.output<typeof dayUseRow>

/** Returns the UTC day of a time, in days since 1970-01-01. */
export const utcDayOf = (at: Date): number => Math.floor(at.getTime() / 86_400_000)

/** The statement of what holds, reserves and uses the daily cap now; `reservations` are the rows of this UTC day. */
export const dayUse = (mandateId: number, now: Date, reservations: ReturnType<typeof sql.fragment>) => sql.fragment`
  SELECT * FROM (
    SELECT coalesce(sum(amount) FILTER (WHERE kind = 'call'), 0) AS held_calls,
      coalesce(sum(amount) FILTER (WHERE kind = 'leg_order'), 0) AS held_orders,
      count(*) FILTER (WHERE status = 'pending') AS pending
    FROM approval
    WHERE mandate_id = ${mandateId} AND status IN ('pending', 'approved') AND expires_at > ${now.toISOString()}) AS open
  CROSS JOIN (
    SELECT coalesce(sum(used), 0) AS leg_used, coalesce(sum(reserved) FILTER (WHERE outcome IS NULL), 0) AS reserved
    FROM (${reservations}) AS today) AS leg`

/** Returns what holds, reserves and uses the daily cap now; the calls that the chain shows are in the books of the vault. */
export function dayUseOf(db: Db, mandateId: number, now: Date): Promise<DayUse> {
  // Each part is an index scan of the open items, and of the reservations of one day.
  const today = sql.fragment`
    SELECT used, reserved, outcome FROM leg_reservation WHERE mandate_id = ${mandateId} AND day = ${utcDayOf(now)}`
  return db.one(sql.prepared('day_use_of', dayUseRow)`${dayUse(mandateId, now, today)}`)
}
