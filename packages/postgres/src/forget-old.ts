import { sql, type Pool } from './pool.ts'

/**
 * Retention in days. After it an event cannot be delivered again (`inbox`), an idempotency key may be used for another
 * call, an event that was given up is lost (`deadLetter`), and an event cannot be published again (`sent`), which must be
 * sooner than inboxes forget it.
 */
export const KEEP_DAYS = { inbox: 30, idempotency: 90, deadLetter: 90, sent: 3 } as const

/** A chain that is read from its start makes a million events in a minute, all of which become old at once. */
const SENT_BATCHES_MAX = 100

/**
 * Deletes inbox rows, idempotency claims, dead letters and sent events older than `KEEP_DAYS` by the clock of Postgres, at
 * most `max` of each, and a hundred times as many sent events. Letters that wait for their replay stay. Returns the number of deleted rows.
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
  return inbox.rowCount + claims.rowCount + letters.rowCount + (await forgetSent(pool, max))
}

async function forgetSent(pool: Pool, max: number): Promise<number> {
  let forgotten = 0
  for (let batch = 0; batch < SENT_BATCHES_MAX && forgotten === batch * max; batch += 1) {
    const sent = await pool.query(sql.unsafe`
      DELETE FROM sent_event WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM sent_event WHERE sent_at < now() - make_interval(days => ${KEEP_DAYS.sent}) ORDER BY sent_at LIMIT ${max}))`)
    forgotten += sent.rowCount
  }
  return forgotten
}
