import { feedKey, type FeedKey } from '@svc/contracts/subscriptions/feed-catalogue'
import { instant, sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const cursorRow = z.object({ feed_key: feedKey, seq: z.number() })

/** Returns the last item of each feed that was queued, locked until the end of the transaction. */
export function lockCursors(tx: Tx): Promise<readonly z.output<typeof cursorRow>[]> {
  return tx.any(sql.type(cursorRow)`SELECT feed_key, seq FROM webhook_cursor ORDER BY feed_key FOR UPDATE`)
}

export async function moveCursor(tx: Tx, key: FeedKey, seq: number): Promise<void> {
  await tx.query(sql.unsafe`UPDATE webhook_cursor SET seq = ${seq} WHERE feed_key = ${key}`)
}

/**
 * Queues an item for every webhook that is on, whose account may read the feed now, and whose filters pass it. Returns the
 * number of webhooks.
 */
export async function queueItem(
  tx: Tx,
  item: {
    readonly key: FeedKey
    readonly seq: number
    readonly tier: number
    readonly pairs: readonly string[]
    readonly severity: number | null
  },
  now: Date,
): Promise<number> {
  const at = now.toISOString()
  const { rowCount } = await tx.query(sql.unsafe`
    INSERT INTO webhook_delivery (webhook_id, feed_key, seq, queued_at, next_at)
    SELECT w.id, ${item.key}, ${item.seq}, ${at}, ${at} FROM webhook w
      JOIN feed_subscription s ON s.account_id = w.account_id AND s.feed_key = ${item.key}
      LEFT JOIN subscription t ON t.account_id = w.account_id
    WHERE w.state = 'on' AND ${item.key} = ANY(w.feed_keys)
      AND (w.pairs = '{}' OR w.pairs && ${sql.array([...item.pairs], 'text')})
      AND (w.severity_min IS NULL OR ${item.severity}::int IS NULL OR w.severity_min <= ${item.severity}::int)
      AND (${item.tier}::int = 0 OR (t.tier >= ${item.tier}::int AND t.ends_at > ${at}))
    ON CONFLICT DO NOTHING`)
  return rowCount
}

const dueRow = z.object({
  webhook_id: z.string(),
  feed_key: feedKey,
  seq: z.number(),
  attempts: z.number(),
  failures: z.number(),
  queued_at: instant,
  url: z.string(),
  host: z.string(),
  secret: z.string(),
  old_secret: z.string().nullable(),
  old_secret_ends_at: instant.nullable(),
})
const itemRow = z.object({ feed_key: feedKey, seq: z.number(), at: z.string(), data: z.looseObject({}) })
/** An item to be sent now, with where it goes; `item` is null if the feed no longer keeps it. */
export type DueDelivery = z.output<typeof dueRow> & { readonly item: z.output<typeof itemRow> | null }

/**
 * Returns what is to be sent now: at most `perHost` for each host and `max` in all, longest due first, hosts in turns, first
 * the one whose webhook was sent nothing for longest. Reads at most `perHost` rows of each webhook that does not rest, however many
 * wait, and each item once, however many webhooks it goes to.
 */
export async function dueDeliveries(
  db: Db,
  now: Date,
  { perHost, max }: { readonly perHost: number; readonly max: number },
): Promise<readonly DueDelivery[]> {
  const at = now.toISOString()
  const due = await db.any(sql.type(dueRow)`
    SELECT d.* FROM (
      SELECT w.id AS webhook_id, w.url, w.host, w.secret, w.old_secret, w.old_secret_ends_at, w.failures, w.last_delivered_at, q.feed_key, q.seq, q.attempts,
        q.queued_at, row_number() OVER (PARTITION BY w.host ORDER BY q.next_at, q.feed_key, q.seq, w.id) AS turn
      FROM webhook w CROSS JOIN LATERAL (
        SELECT feed_key, seq, attempts, queued_at, next_at FROM webhook_delivery
        WHERE webhook_id = w.id AND next_at <= ${at} ORDER BY next_at, feed_key, seq LIMIT ${perHost}) q
      WHERE w.state = 'on' AND w.next_at <= ${at}) d
    WHERE turn <= ${perHost} ORDER BY turn, last_delivered_at NULLS FIRST, host LIMIT ${max}`)
  const keyOf = (one: { readonly feed_key: FeedKey; readonly seq: number }) => `${one.feed_key}-${one.seq}`
  const named = [...new Map(due.map((one) => [keyOf(one), [one.feed_key, one.seq] as const])).values()]
  const items = await db.any(sql.type(itemRow)`
    SELECT feed_key, seq, at, data FROM feed_item JOIN ${sql.unnest(named, ['text', 'int8'])} AS named (feed_key, seq)
      USING (feed_key, seq)`)
  const byKey = new Map(items.map((item) => [keyOf(item), item]))
  return due.map((one) => ({ ...one, item: byKey.get(keyOf(one)) ?? null }))
}

/** Counts a try before it is made, and when the next one is due. Returns false if the item does not wait any longer. */
export async function takeTry(
  db: Db,
  { webhook_id, feed_key, seq, attempts }: DueDelivery,
  nextAt: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(sql.unsafe`
    UPDATE webhook_delivery SET attempts = attempts + 1, next_at = ${nextAt.toISOString()}
    WHERE webhook_id = ${webhook_id} AND feed_key = ${feed_key} AND seq = ${seq} AND attempts = ${attempts}`)
  return rowCount > 0
}

/** Deletes an item that was accepted or that is given up. */
export async function dropDelivery(tx: Tx, { webhook_id, feed_key, seq }: DueDelivery): Promise<void> {
  await tx.query(sql.unsafe`
    DELETE FROM webhook_delivery WHERE webhook_id = ${webhook_id} AND feed_key = ${feed_key} AND seq = ${seq}`)
}

const idRow = z.object({ webhook_id: z.string() })

/** Returns the webhooks for which more than `max` items wait, except those whose secret no key opens. */
export async function overfull(db: Db, max: number): Promise<readonly string[]> {
  const rows = await db.any(sql.type(idRow)`
    SELECT webhook_id FROM webhook_delivery JOIN webhook w ON w.id = webhook_id
    WHERE w.last_failure IS DISTINCT FROM 'secret_unreadable' GROUP BY webhook_id HAVING count(*) > ${max}`)
  return rows.map(({ webhook_id }) => webhook_id)
}

const nextRow = z.object({ at: instant.nullable() })

/** Returns when the next item is to be sent; null if none waits. */
export async function nextDueAt(db: Db): Promise<Date | null> {
  const { at } = await db.one(sql.type(nextRow)`
    SELECT min(greatest(w.next_at, q.next_at)) AS at FROM webhook w CROSS JOIN LATERAL (
      SELECT next_at FROM webhook_delivery WHERE webhook_id = w.id ORDER BY next_at LIMIT 1) q
    WHERE w.state = 'on'`)
  return at
}

const ageRow = z.object({ accepting: z.number(), failing: z.number() })

/** Returns the age of the oldest item that waits, seconds: of webhooks that accept, and of those that fail; 0 if none waits. */
export function oldestAges(db: Db): Promise<z.output<typeof ageRow>> {
  return db.one(sql.type(ageRow)`
    SELECT greatest(coalesce(extract(epoch FROM now() - min(queued_at) FILTER (WHERE failures = 0)), 0), 0)::float8 AS accepting,
      greatest(coalesce(extract(epoch FROM now() - min(queued_at) FILTER (WHERE failures > 0)), 0), 0)::float8 AS failing
    FROM webhook_delivery JOIN webhook ON id = webhook_id`)
}

const stateRow = z.object({ state: z.string(), count: z.number() })

/** Counts webhooks by their state. */
export function countStates(db: Db): Promise<readonly z.output<typeof stateRow>[]> {
  return db.any(sql.type(stateRow)`SELECT state, count(*)::int AS count FROM webhook GROUP BY state`)
}

const unreadableRow = z.object({ count: z.number() })

/** Counts the webhooks that rest because no key opens their secret. */
export async function countUnreadable(db: Db): Promise<number> {
  const { count } = await db.one(sql.type(unreadableRow)`
    SELECT count(*)::int AS count FROM webhook WHERE state = 'on' AND last_failure = 'secret_unreadable'`)
  return count
}
