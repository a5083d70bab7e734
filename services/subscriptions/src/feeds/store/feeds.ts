import type { FeedKey } from '@svc/contracts/subscriptions/feed-catalogue'
import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const seqRow = z.object({ seq: z.number() })

/** Appends an item to its feed and returns its seq. The feed's row stays locked until the commit. */
export async function appendItem(tx: Tx, key: FeedKey, at: string, data: object): Promise<number> {
  const { seq } = await tx.one(sql.prepared('feed_advance', seqRow)`
    INSERT INTO feed (feed_key, newest_seq) VALUES (${key}, 1)
    ON CONFLICT (feed_key) DO UPDATE SET newest_seq = feed.newest_seq + 1
    RETURNING newest_seq AS seq`)
  await tx.query(sql.unsafe`
    INSERT INTO feed_item (feed_key, seq, at, data) VALUES (${key}, ${seq}, ${at}, ${JSON.stringify(data)}::jsonb)`)
  return seq
}

export async function newestSeq(db: Db, key: FeedKey): Promise<number> {
  const row = await db.maybeOne(sql.type(seqRow)`SELECT newest_seq AS seq FROM feed WHERE feed_key = ${key}`)
  return row?.seq ?? 0
}

const itemRow = z.object({ seq: z.number(), at: z.string(), data: z.looseObject({}) })
export type FeedItem = z.output<typeof itemRow>

/** Returns items after `since`, oldest first. */
export async function itemsAfter(db: Db, key: FeedKey, since: number, limit: number): Promise<readonly FeedItem[]> {
  return db.any(sql.prepared('feed_items', itemRow)`
    SELECT seq, at, data FROM feed_item WHERE feed_key = ${key} AND seq > ${since} ORDER BY seq LIMIT ${limit}`)
}

/** Returns the newest item until `before` that has content: a list of arbitrage may be empty. */
export async function newestItem(db: Db, key: FeedKey, before: Date): Promise<FeedItem | null> {
  return db.maybeOne(sql.prepared('feed_newest_item', itemRow)`
    SELECT seq, at, data FROM feed_item
    WHERE feed_key = ${key} AND at <= ${before.toISOString()} AND data -> 'items' IS DISTINCT FROM '[]'::jsonb
    ORDER BY seq DESC LIMIT 1`)
}

const sinceRow = z.object({ at: z.string() })

/** Subscribes an account and returns since when it is subscribed; a second time changes nothing. */
export async function subscribeTo(tx: Tx, accountId: number, key: FeedKey, now: Date): Promise<string> {
  const row = await tx.one(sql.type(sinceRow)`
    INSERT INTO feed_subscription (account_id, feed_key, subscribed_at) VALUES (${accountId}, ${key}, ${now.toISOString()})
    ON CONFLICT (account_id, feed_key) DO UPDATE SET subscribed_at = feed_subscription.subscribed_at
    RETURNING subscribed_at AS at`)
  return row.at
}

export async function leave(tx: Tx, accountId: number, key: FeedKey): Promise<void> {
  await tx.query(sql.unsafe`DELETE FROM feed_subscription WHERE account_id = ${accountId} AND feed_key = ${key}`)
}

export async function isSubscribed(db: Db, accountId: number, key: FeedKey): Promise<boolean> {
  const row = await db.maybeOne(sql.prepared('feed_subscribed', sinceRow)`
    SELECT subscribed_at AS at FROM feed_subscription WHERE account_id = ${accountId} AND feed_key = ${key}`)
  return row !== null
}

/** Deletes items that are too old or too far behind the newest; returns the number of deleted rows. */
export async function forgetItems(tx: Tx, before: Date, kept: number, max: number): Promise<number> {
  const { rowCount } = await tx.query(sql.unsafe`
    DELETE FROM feed_item WHERE (feed_key, seq) IN (
      SELECT item.feed_key, item.seq FROM feed_item AS item JOIN feed USING (feed_key)
      WHERE item.at < ${before.toISOString()} OR item.seq <= feed.newest_seq - ${kept}
      LIMIT ${max})`)
  return rowCount
}
