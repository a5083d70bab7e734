import { sql, table, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { AlertSelection, OwnerAlert } from '../rules/owner-alert.ts'
import { times } from './alert-times.ts'
import { alertChannels, type AlertChannel } from '@svc/contracts/mandates/alerts'

/** An alert with its addressee and the link to its mandate. */
export interface NewAlert extends OwnerAlert {
  readonly ownerId: number
  readonly mandateId: number
  readonly link: string
}

/**
 * Stores an alert and its due deliveries. An alert that is already stored is only opened again, because a
 * reorganisation may remove its occurrence and bring it back.
 */
export async function insertAlert(tx: Tx, alert: NewAlert, now: Date, due = now): Promise<void> {
  await tx.query(sql.unsafe`
    WITH new AS (
      INSERT INTO alert (owner_id, mandate_id, kind, severity, text, link, about, ends_at, created_at)
      VALUES (${alert.ownerId}, ${alert.mandateId}, ${alert.kind}, ${alert.severity}, ${alert.text}, ${alert.link},
        ${alert.about}, ${alert.endsAt?.toISOString() ?? null}, ${now.toISOString()})
      ON CONFLICT (mandate_id, kind, about) DO UPDATE SET resolved_at = NULL RETURNING id)
    INSERT INTO alert_delivery (alert_id, channel, try_at)
    SELECT id, channel, ${due.toISOString()} FROM new, unnest(${sql.array([...alertChannels], 'text')}) AS channel
    ON CONFLICT (alert_id, channel) DO NOTHING`)
}

/** Resolves the selected open alerts of a mandate. */
export async function resolveAlerts(
  tx: Tx,
  mandateId: number,
  { kinds, about }: AlertSelection,
  now: Date,
): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE alert SET resolved_at = ${now.toISOString()}
    WHERE mandate_id = ${mandateId} AND resolved_at IS NULL
      AND (${kinds === null} OR kind = ANY(${sql.array([...(kinds ?? [])], 'text')}))
      AND (${about === null} OR about = ANY(${sql.array([...(about ?? [])], 'text')}))`)
}

const alerts = table('alert', {
  id: z.number(),
  owner_id: z.number(),
  kind: z.string(),
  severity: z.enum(['info', 'warning', 'critical']),
  text: z.string(),
  link: z.string(),
  created_at: z.string(),
  ends_at: z.string().nullable(),
  resolved_at: z.string().nullable(),
  sent_at: z.string().nullable(),
})
const alertRow = alerts.row.extend({
  mandate_id: z.string(),
  deliveries: z.array(
    z.object({
      channel: z.enum(alertChannels),
      tries: z.number(),
      sent_at: z.string().nullable(),
      failure: z.string().nullable(),
    }),
  ),
})

const alertColumns = alerts.listOf('a')
const timesColumns = times.listOf('w')

/** Returns the alerts of an owner, newest first, with the public ids of their mandates. */
export function alertsOf(
  db: Db,
  ownerId: number,
  { before, open, limit }: { readonly before: number | null; readonly open: boolean; readonly limit: number },
): Promise<readonly z.output<typeof alertRow>[]> {
  return db.any(sql.type(alertRow)`
    SELECT ${alertColumns}, m.public_id AS mandate_id,
      coalesce((SELECT jsonb_agg(jsonb_build_object('channel', d.channel, 'tries', d.attempts,
          'sent_at', to_char(d.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'failure', d.failure)
          ORDER BY d.channel)
        FROM alert_delivery d WHERE d.alert_id = a.id AND d.attempts > 0), '[]') AS deliveries
    FROM alert a JOIN mandate m ON m.id = a.mandate_id
    WHERE a.owner_id = ${ownerId} AND (${before}::bigint IS NULL OR a.id < ${before})
      AND (NOT ${open}::boolean OR a.resolved_at IS NULL)
    ORDER BY a.id DESC LIMIT ${limit}`)
}

const channelRow = z.object({ channel: z.enum(alertChannels), address: z.string() })

/** Returns the addresses for an owner's alerts by channel; null if none is set. */
export async function channelsOf(db: Db, ownerId: number): Promise<Record<AlertChannel, string | null>> {
  const rows = await db.any(sql.type(channelRow)`
    SELECT channel, address FROM alert_channel WHERE owner_id = ${ownerId}`)
  return { telegram: null, email: null, ...Object.fromEntries(rows.map(({ channel, address }) => [channel, address])) }
}

/** Stores the address for an owner's alerts by a channel; null removes it. */
export async function storeChannel(
  tx: Tx,
  { ownerId, channel, address }: { ownerId: number; channel: AlertChannel; address: string | null },
  now: Date,
): Promise<void> {
  if (address === null)
    await tx.query(sql.unsafe`DELETE FROM alert_channel WHERE owner_id = ${ownerId} AND channel = ${channel}`)
  else
    await tx.query(sql.unsafe`
      INSERT INTO alert_channel (owner_id, channel, address, set_at)
      VALUES (${ownerId}, ${channel}, ${address}, ${now.toISOString()})
      ON CONFLICT (owner_id, channel) DO UPDATE SET address = excluded.address, set_at = excluded.set_at`)
}

const dueRow = z.object({
  id: z.number(),
  mandate_id: z.string(),
  severity: z.string(),
  text: z.string(),
  link: z.string(),
  attempts: z.number(),
  address: z.string(),
  owner_id: z.number(),
  ...times.columns,
})
/** A due alert with the address and the alert times of its owner. */
export type DueAlert = z.output<typeof dueRow>

/** Condition for sending: a warning requests an action and is not sent once resolved; other alerts are. */
const due = (channel: AlertChannel, since: Date, now: Date) => sql.fragment`alert_delivery d
    JOIN alert a ON a.id = d.alert_id JOIN alert_channel c ON c.owner_id = a.owner_id AND c.channel = d.channel
    WHERE d.channel = ${channel} AND d.try_at <= ${now.toISOString()} AND d.try_at > ${since.toISOString()}
      AND (a.severity <> 'warning' OR a.resolved_at IS NULL)`

/** Greatest number of due alerts in a pass, far above what a pass can send. */
const DUE_LOOKED_AT = 5_000

/**
 * Returns the due alerts of a channel. Owners take turns, each with the longest due first, so that
 * many alerts of one owner do not delay the others.
 */
export function dueAlerts(
  db: Db,
  channel: AlertChannel,
  since: Date,
  now: Date,
  max: number,
): Promise<readonly DueAlert[]> {
  return db.any(sql.type(dueRow)`
    SELECT t.*, m.public_id AS mandate_id, ${timesColumns} FROM (
      SELECT *, row_number() OVER (PARTITION BY owner_id ORDER BY try_at, id) AS turn FROM (
        SELECT a.id, a.owner_id, a.mandate_id AS of_mandate, a.severity, a.text, a.link, d.attempts, d.try_at, c.address
        FROM ${due(channel, since, now)} ORDER BY d.try_at LIMIT ${DUE_LOOKED_AT}) looked_at
      ORDER BY turn, try_at LIMIT ${max}) t
    JOIN mandate m ON m.id = t.of_mandate LEFT JOIN alert_times w ON w.owner_id = t.owner_id ORDER BY t.turn, t.try_at`)
}

const countRow = z.object({ count: z.number() })

/** Counts the alerts that a channel would send now. */
export async function countDue(db: Db, channel: AlertChannel, since: Date, now: Date): Promise<number> {
  const { count } = await db.one(sql.type(countRow)`SELECT count(*) FROM ${due(channel, since, now)}`)
  return count
}

/** Counts a try before it is made. Returns false if another try was made in the meantime, or the alert is sent. */
export async function takeTry(
  tx: Tx,
  channel: AlertChannel,
  { id, attempts }: { readonly id: number; readonly attempts: number },
  next: Date | null,
): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE alert_delivery SET attempts = attempts + 1, try_at = ${next?.toISOString() ?? null}
    WHERE alert_id = ${id} AND channel = ${channel} AND attempts = ${attempts} AND sent_at IS NULL`)
  return rowCount > 0
}

/** Marks an alert as sent by a channel. Returns false if it was already marked. */
export async function markSent(tx: Tx, channel: AlertChannel, id: number, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE alert_delivery SET sent_at = ${now.toISOString()}, try_at = NULL, failure = NULL
    WHERE alert_id = ${id} AND channel = ${channel} AND sent_at IS NULL`)
  if (rowCount === 0) return false
  await tx.query(sql.unsafe`UPDATE alert SET sent_at = ${now.toISOString()} WHERE id = ${id} AND sent_at IS NULL`)
  return true
}

/** Stores why a try failed. After a final failure the alert is not tried again. */
export async function noteFailure(
  tx: Tx,
  channel: AlertChannel,
  id: number,
  { failure, final }: { readonly failure: string; readonly final: boolean },
): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE alert_delivery SET failure = ${failure}, try_at = CASE WHEN ${final} THEN NULL ELSE try_at END
    WHERE alert_id = ${id} AND channel = ${channel} AND sent_at IS NULL`)
}
