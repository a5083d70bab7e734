import type { Webhook } from '@svc/contracts/subscriptions/webhooks'
import { instant, sql, table, typed, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import { feedKey } from '@svc/contracts/subscriptions/feed-catalogue'

const webhooks = table('webhook', {
  id: z.string(),
  account_id: z.number(),
  url: z.string(),
  host: z.string(),
  feed_keys: z.array(feedKey),
  pairs: z.array(z.string()),
  severity_min: typed('int2', z.number().nullable()),
  state: z.enum(['unverified', 'on', 'off']),
  secret: z.string(),
  old_secret: z.string().nullable(),
  old_secret_ends_at: instant.nullable(),
  created_at: instant,
  last_delivered_at: instant.nullable(),
  failures: z.number(),
  failing_since: instant.nullable(),
  last_failure: z.string().nullable(),
  next_at: instant,
  off_at: instant.nullable(),
  off_reason: z.enum(['failing', 'gone', 'backlog']).nullable(),
})
/** A webhook as it is stored, with its encrypted secrets. */
export type StoredWebhook = z.output<typeof webhooks.row>
export type OffReason = NonNullable<Webhook['off_reason']>

/** Stores a new webhook; returns false if the account has `max` already. The account's creations run one after the other. */
export async function insertWebhook(tx: Tx, webhook: StoredWebhook, max: number): Promise<boolean> {
  await tx.query(sql.unsafe`
    SELECT pg_advisory_xact_lock(hashtextextended(${`subscriptions.webhook:${webhook.account_id}`}, 0))`)
  if ((await webhooksOf(tx, webhook.account_id)).length >= max) return false
  await tx.query(sql.unsafe`${webhooks.insert(webhook)}`)
  return true
}

/** Returns the webhooks of an account, oldest first. */
export function webhooksOf(db: Db, accountId: number): Promise<readonly StoredWebhook[]> {
  return db.any(sql.type(webhooks.row)`
    SELECT ${webhooks.list} FROM webhook WHERE account_id = ${accountId} ORDER BY created_at, id LIMIT 100`)
}

export function findWebhook(db: Db, accountId: number, id: string): Promise<StoredWebhook | null> {
  return db.maybeOne(sql.type(webhooks.row)`
    SELECT ${webhooks.list} FROM webhook WHERE account_id = ${accountId} AND id = ${id}`)
}

/** Returns the webhook, locked until the end of the transaction. */
export function lockWebhook(tx: Tx, accountId: number, id: string): Promise<StoredWebhook | null> {
  return tx.maybeOne(sql.type(webhooks.row)`
    SELECT ${webhooks.list} FROM webhook WHERE account_id = ${accountId} AND id = ${id} FOR UPDATE`)
}

/** Deletes a webhook with what waits for it; returns false if the account has no such webhook. */
export async function deleteStoredWebhook(tx: Tx, accountId: number, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`DELETE FROM webhook WHERE account_id = ${accountId} AND id = ${id}`)
  return rowCount > 0
}

/** Stores members of a webhook and returns it; null if it was deleted. */
export function storeWebhook(tx: Tx, id: string, change: Partial<StoredWebhook>): Promise<StoredWebhook | null> {
  return tx.maybeOne(sql.type(webhooks.row)`
    UPDATE webhook SET ${webhooks.set(change)} WHERE id = ${id} RETURNING ${webhooks.list}`)
}

/** Turns a webhook on, from the items of its feeds that come next. Returns null if it was deleted. */
export async function turnOn(tx: Tx, id: string, now: Date): Promise<StoredWebhook | null> {
  // Without a cursor no item was ever queued: the feed begins with its newest item.
  await tx.query(sql.unsafe`
    INSERT INTO webhook_cursor (feed_key, seq)
    SELECT key, coalesce(newest_seq, 0) FROM webhook CROSS JOIN unnest(feed_keys) AS key LEFT JOIN feed ON feed_key = key
    WHERE id = ${id} ON CONFLICT (feed_key) DO NOTHING`)
  return tx.maybeOne(sql.type(webhooks.row)`
    UPDATE webhook SET state = 'on', off_at = NULL, off_reason = NULL, failures = 0, failing_since = NULL,
      last_failure = NULL, next_at = ${now.toISOString()}
    WHERE id = ${id} RETURNING ${webhooks.list}`)
}

/** Turns a webhook off and drops what waits for it. Returns it; null if it was not on. */
export async function turnOff(tx: Tx, id: string, reason: OffReason, now: Date): Promise<StoredWebhook | null> {
  const webhook = await tx.maybeOne(sql.type(webhooks.row)`
    UPDATE webhook SET state = 'off', off_at = ${now.toISOString()}, off_reason = ${reason}
    WHERE id = ${id} AND state = 'on' RETURNING ${webhooks.list}`)
  if (webhook !== null) await tx.query(sql.unsafe`DELETE FROM webhook_delivery WHERE webhook_id = ${id}`)
  return webhook
}

/** Stores that the receiver accepted a message. */
export async function noteDelivered(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE webhook SET last_delivered_at = ${now.toISOString()}, failures = 0, failing_since = NULL, last_failure = NULL,
      next_at = ${now.toISOString()}
    WHERE id = ${id}`)
}

/** Stores that a message was not accepted; returns the webhook, null if it was deleted or turned off meanwhile. */
export function noteFailure(
  tx: Tx,
  id: string,
  reason: string,
  nextAt: Date,
  now: Date,
): Promise<StoredWebhook | null> {
  return tx.maybeOne(sql.type(webhooks.row)`
    UPDATE webhook SET failures = failures + 1, failing_since = coalesce(failing_since, ${now.toISOString()}),
      last_failure = ${reason}, next_at = ${nextAt.toISOString()}
    WHERE id = ${id} AND state = 'on' RETURNING ${webhooks.list}`)
}

/** Lets a webhook rest whose secret no key opens. Neither this nor what failed before is counted as a failure of its receiver. */
export async function noteUnreadable(db: Db, id: string, nextAt: Date): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE webhook SET failures = 0, failing_since = NULL, last_failure = 'secret_unreadable', next_at = ${nextAt.toISOString()}
    WHERE id = ${id} AND state = 'on'`)
}

/** Deletes the former secrets that sign no longer. */
export async function forgetOldSecrets(db: Db, now: Date): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE webhook SET old_secret = NULL, old_secret_ends_at = NULL WHERE old_secret_ends_at <= ${now.toISOString()}`)
}

/** Returns webhooks after an id with a secret that is encrypted under another key than the named one, by id. */
export function sealedOtherwise(
  db: Db,
  keyName: string,
  after: string,
  max: number,
): Promise<readonly StoredWebhook[]> {
  return db.any(sql.type(webhooks.row)`
    SELECT ${webhooks.list} FROM webhook
    WHERE id > ${after} AND (NOT starts_with(secret, ${`${keyName}.`})
      OR NOT starts_with(coalesce(old_secret, ${`${keyName}.`}), ${`${keyName}.`}))
    ORDER BY id LIMIT ${max}`)
}

const askedRow = z.object({ asked: z.number() })

const deliveredRow = z.object({ has: z.boolean() })

/** Whether an account has a webhook at a host that accepted an item. */
export async function hasDelivered(db: Db, accountId: number, host: string): Promise<boolean> {
  const { has } = await db.one(sql.type(deliveredRow)`
    SELECT EXISTS (SELECT FROM webhook
      WHERE account_id = ${accountId} AND host = ${host} AND last_delivered_at IS NOT NULL) AS has`)
  return has
}

/** Counts a challenge or test for a host, or for an account and a host, and returns their number in the running minute. */
export async function countAsk(tx: Tx, host: string, now: Date, windowMs: number): Promise<number> {
  const [at, before] = [now.toISOString(), new Date(now.getTime() - windowMs).toISOString()]
  const { asked } = await tx.one(sql.type(askedRow)`
    INSERT INTO webhook_host AS h (host, window_at, asked) VALUES (${host}, ${at}, 1)
    ON CONFLICT (host) DO UPDATE SET
      asked = CASE WHEN h.window_at <= ${before} THEN 1 ELSE h.asked + 1 END,
      window_at = CASE WHEN h.window_at <= ${before} THEN excluded.window_at ELSE h.window_at END
    RETURNING asked`)
  return asked
}

/** Forgets hosts that were last asked before a time. */
export async function forgetHosts(db: Db, before: Date): Promise<void> {
  await db.query(sql.unsafe`DELETE FROM webhook_host WHERE window_at < ${before.toISOString()}`)
}
