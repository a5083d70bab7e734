import { sql, type Pool } from './pool.ts'

/**
 * Retention in days. After it an event cannot be delivered again (`inbox`), an idempotency key may be used for another
 * call, and an event that was given up is lost (`deadLetter`).
 */
export const KEEP_DAYS = { inbox: 30, idempotency: 90, deadLetter: 90 } as const

/**
 * Deletes inbox rows, idempotency claims and dead letters older than `KEEP_DAYS` by the clock of Postgres, at most
 * `max` of each. Letters that wait for their replay stay. Returns the number of deleted rows.
 */
export async function forgetOld(pool: Pool, max: number): Promise<number> {
  const inbox = await pool.query(sql.unsafe`
    DELETE FROM inbox WHERE event_id IN (SELECT event_id FROM inbox WHERE received_at < now() - make_interval(days => ${KEEP_DAYS.inbox}) LIMIT ${max})`)
  const claims = await pool.query(sql.unsafe`
    DELETE FROM idempotency WHERE ctid IN (SELECT ctid FROM idempotency WHERE claimed_at < now() - make_interval(days => ${KEEP_DAYS.idempotency}) LIMIT ${max})`)
  // The row lock re-checks the state, so a letter whose replay commits at this moment stays.
  const letters = await pool.query(sql.unsafe`
    DELETE FROM dead_letter WHERE state <> 'replay' AND event_id IN (
      SELECT event_id FROM dead_letter
      WHERE failed_at < now() - make_interval(days => ${KEEP_DAYS.deadLetter}) AND state <> 'replay' LIMIT ${max})`)
  return inbox.rowCount + claims.rowCount + letters.rowCount
}
