import { instant, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'
import { atOnce, type AlertTimes } from '../rules/alert-times.ts'

const minute = z.number().nullable()
/** Times of alerts; a digest and the quiet hours are minutes of the day. */
export const times = table('alert_times', {
  time_zone: z.string().nullable(),
  quiet_from: minute,
  quiet_to: minute,
  digest_at: minute,
})
const storedTimes = table('alert_times', { ...times.columns, owner_id: z.number(), set_at: instant })
const replaceTimes = storedTimes.onConflict(['owner_id'])

/** Returns the times of a row; the defaults without a row. */
export function timesIn(row: RowOf<typeof times> | null): AlertTimes {
  if (row === null || row.time_zone === null) return atOnce
  const { time_zone: timeZone, quiet_from: from, quiet_to: to, digest_at: digestAt } = row
  return { timeZone, quiet: from === null || to === null ? null : { from, to }, digestAt }
}

/** Returns when an owner wants alerts sent. */
export async function alertTimesOf(db: Db, ownerId: number): Promise<AlertTimes> {
  const row = await db.maybeOne(sql.type(times.row)`
    SELECT ${times.list} FROM alert_times WHERE owner_id = ${ownerId}`)
  return timesIn(row)
}

/** Stores when an owner wants alerts sent. */
export async function storeAlertTimes(tx: Tx, ownerId: number, chosen: AlertTimes, now: Date): Promise<void> {
  const { timeZone, quiet, digestAt } = chosen
  const row = {
    time_zone: timeZone,
    quiet_from: quiet?.from ?? null,
    quiet_to: quiet?.to ?? null,
    digest_at: digestAt,
    owner_id: ownerId,
    set_at: now,
  }
  await tx.query(sql.unsafe`${storedTimes.insert(row)} ${replaceTimes}`)
}

const untriedRow = z.object({
  id: z.number(),
  severity: z.string(),
  endsAt: z
    .string()
    .nullable()
    .transform((text) => (text === null ? null : new Date(text))),
})
const UNTRIED_MAX = 1_000

/** Returns the newest alerts of an owner that are due and that no channel has tried yet. */
export function untriedAlerts(tx: Tx, ownerId: number, since: Date): Promise<readonly z.output<typeof untriedRow>[]> {
  return tx.any(sql.type(untriedRow)`
    SELECT a.id, a.severity, a.ends_at AS "endsAt" FROM alert a
    WHERE a.owner_id = ${ownerId} AND EXISTS (SELECT 1 FROM alert_delivery d
      WHERE d.alert_id = a.id AND d.attempts = 0 AND d.try_at > ${since.toISOString()})
    ORDER BY a.id DESC LIMIT ${UNTRIED_MAX}`)
}

/** Moves the deliveries of an alert that were not tried yet to another time. */
export async function postponeAlert(tx: Tx, id: number, due: Date): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE alert_delivery SET try_at = ${due.toISOString()}
    WHERE alert_id = ${id} AND attempts = 0 AND try_at IS NOT NULL`)
}
