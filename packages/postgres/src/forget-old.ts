import { sql, type Pool } from './pool.ts'

/**
 * Retention in days. After it an event cannot be delivered again (`inbox`), an idempotency key may be used for another
 * call, the failures of an event that is no longer delivered are forgotten (`failures`), and an event cannot be published
 * again (`sent`), which must be sooner than inboxes forget it.
 */
export const KEEP_DAYS = { inbox: 30, idempotency: 90, failures: 90, sent: 3 } as const

/** A chain that is read from its start makes a million events in a minute, all of which become old at once. */
const SENT_BATCHES_MAX = 100

/**
 * Deletes inbox rows, idempotency claims, failures and sent events older than `KEEP_DAYS` by the clock of Postgres, at
 * most `max` of each, and a hundred times as many sent events. Open dead letters stay until a person has acted. Returns the number of deleted rows.
 */
export async function forgetOld(pool: Pool, max: number): Promise<number> {
  const inbox = await pool.query(sql.unsafe`
    DELETE FROM inbox WHERE event_id IN (SELECT event_id FROM inbox WHERE received_at < now() - make_interval(days => ${KEEP_DAYS.inbox}) LIMIT ${max})`)
  const claims = await pool.query(sql.unsafe`
    DELETE FROM idempotency WHERE ctid IN (SELECT ctid FROM idempotency WHERE claimed_at < now() - make_interval(days => ${KEEP_DAYS.idempotency}) LIMIT ${max})`)
  // The row lock re-checks the state, so an event that is given up at this moment stays.
  const failures = await pool.query(sql.unsafe`
    DELETE FROM dead_letter WHERE state = 'trying' AND event_id IN (
      SELECT event_id FROM dead_letter
      WHERE failed_at < now() - make_interval(days => ${KEEP_DAYS.failures}) AND state = 'trying' LIMIT ${max})`)
  return inbox.rowCount + claims.rowCount + failures.rowCount + (await forgetSent(pool, max))
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
