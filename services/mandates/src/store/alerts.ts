import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** What an owner is told. `about` names the occurrence, so that it is told once. */
export interface NewAlert {
  readonly ownerId: number
  readonly mandateId: number
  readonly kind: string
  readonly severity: 'info' | 'warning' | 'critical'
  readonly text: string
  readonly link: string
  readonly about: string
}

export async function insertAlert(tx: Tx, alert: NewAlert, now: Date): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO alert (owner_id, mandate_id, kind, severity, text, link, about, created_at, try_at)
    VALUES (${alert.ownerId}, ${alert.mandateId}, ${alert.kind}, ${alert.severity}, ${alert.text}, ${alert.link},
      ${alert.about}, ${now.toISOString()}, ${now.toISOString()})
    ON CONFLICT (mandate_id, kind, about) DO NOTHING`)
}

const alertRow = z.object({
  id: z.number(),
  owner_id: z.number(),
  mandate_id: z.string(),
  kind: z.string(),
  severity: z.enum(['info', 'warning', 'critical']),
  text: z.string(),
  link: z.string(),
  created_at: z.string(),
  sent_at: z.string().nullable(),
  failure: z.string().nullable(),
})

/** Alerts of an owner, newest first, with the public ids of their mandates. */
export function alertsOf(
  db: Db,
  ownerId: number,
  before: number | null,
  limit: number,
): Promise<readonly z.output<typeof alertRow>[]> {
  return db.any(sql.type(alertRow)`
    SELECT a.id, a.owner_id, m.public_id AS mandate_id, a.kind, a.severity, a.text, a.link, a.created_at, a.sent_at, a.failure
    FROM alert a JOIN mandate m ON m.id = a.mandate_id
    WHERE a.owner_id = ${ownerId} AND (${before}::bigint IS NULL OR a.id < ${before})
    ORDER BY a.id DESC LIMIT ${limit}`)
}

const channelRow = z.object({ telegram_chat_id: z.string() })

/** The chat that an owner's alerts are sent to; null for none. */
export async function channelOf(db: Db, ownerId: number): Promise<string | null> {
  const row = await db.maybeOne(sql.type(channelRow)`
    SELECT telegram_chat_id FROM alert_channel WHERE owner_id = ${ownerId}`)
  return row?.telegram_chat_id ?? null
}

export async function storeChannel(tx: Tx, ownerId: number, chatId: string | null, now: Date): Promise<void> {
  if (chatId === null) await tx.query(sql.unsafe`DELETE FROM alert_channel WHERE owner_id = ${ownerId}`)
  else
    await tx.query(sql.unsafe`
      INSERT INTO alert_channel (owner_id, telegram_chat_id, set_at) VALUES (${ownerId}, ${chatId}, ${now.toISOString()})
      ON CONFLICT (owner_id) DO UPDATE SET telegram_chat_id = excluded.telegram_chat_id, set_at = excluded.set_at`)
}

const dueRow = z.object({
  id: z.number(),
  text: z.string(),
  link: z.string(),
  attempts: z.number(),
  telegram_chat_id: z.string(),
})
type DueAlert = z.output<typeof dueRow>

const due = (since: Date, now: Date) => sql.fragment`alert a JOIN alert_channel c ON c.owner_id = a.owner_id
    WHERE a.try_at <= ${now.toISOString()} AND a.try_at > ${since.toISOString()} AND a.created_at > ${since.toISOString()}`

/** Alerts to be tried now, of owners who have a channel, longest due first. */
export function dueAlerts(db: Db, since: Date, now: Date, max: number): Promise<readonly DueAlert[]> {
  return db.any(sql.type(dueRow)`
    SELECT a.id, a.text, a.link, a.attempts, c.telegram_chat_id FROM ${due(since, now)} ORDER BY a.try_at LIMIT ${max}`)
}

export async function countDue(db: Db, since: Date, now: Date): Promise<number> {
  const { count } = await db.one(sql.type(z.object({ count: z.number() }))`SELECT count(*) FROM ${due(since, now)}`)
  return count
}

/** Counts a try that is about to be made; false when another one was, or it is sent. */
export async function takeTry(tx: Tx, alert: Pick<DueAlert, 'id' | 'attempts'>, next: Date | null): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE alert SET attempts = attempts + 1, try_at = ${next?.toISOString() ?? null}
    WHERE id = ${alert.id} AND attempts = ${alert.attempts} AND sent_at IS NULL`)
  return rowCount > 0
}

/** Marks an alert as sent; false when it was before. */
export async function markSent(tx: Tx, id: number, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE alert SET sent_at = ${now.toISOString()}, try_at = NULL, failure = NULL WHERE id = ${id} AND sent_at IS NULL`)
  return rowCount > 0
}

/** Keeps why a try did not send an alert; a final failure gives it up. */
export async function noteFailure(
  tx: Tx,
  id: number,
  { failure, final }: { readonly failure: string; readonly final: boolean },
): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE alert SET failure = ${failure}, try_at = CASE WHEN ${final} THEN NULL ELSE try_at END
    WHERE id = ${id} AND sent_at IS NULL`)
}
