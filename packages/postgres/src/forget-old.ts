import { sql, type Pool } from './pool.ts'

/**
 * Days after which an event cannot be delivered again, an idempotency key may be used for another call, and an event that
 * was given up is lost.
 */
export const KEEP_DAYS = { inbox: 30, idempotency: 90, deadLetter: 90 } as const

/**
 * Forgets inbox rows, idempotency claims and dead letters that are too old to matter, by the clock of Postgres; at most
 * `max` of each. A letter that waits for its replay stays. Returns how many it forgot.
 */
export async function forgetOld(pool: Pool, max: number): Promise<number> {
  const inbox = await pool.query(sql.unsafe`
    DELETE FROM inbox WHERE event_id IN (SELECT event_id FROM inbox WHERE received_at < now() - make_interval(days => ${KEEP_DAYS.inbox}) LIMIT ${max})`)
  const claims = await pool.query(sql.unsafe`
    DELETE FROM idempotency WHERE ctid IN (SELECT ctid FROM idempotency WHERE claimed_at < now() - make_interval(days => ${KEEP_DAYS.idempotency}) LIMIT ${max})`)
  // Skips a letter whose replay commits at this moment: its state is looked at again under the lock of the row.
  const letters = await pool.query(sql.unsafe`
    DELETE FROM dead_letter WHERE state <> 'replay' AND event_id IN (
      SELECT event_id FROM dead_letter
      WHERE failed_at < now() - make_interval(days => ${KEEP_DAYS.deadLetter}) AND state <> 'replay' LIMIT ${max})`)
  return inbox.rowCount + claims.rowCount + letters.rowCount
}
