import { sql, units, type Db } from '@svc/postgres'
import { z } from 'zod'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { alive, mandateOf, mandates, ofParty, partyKind, type Party } from '#mandate/store/mandates.ts'
import { dayUseRow, utcDayOf, type DayUse } from '#approvals/store/day-use.ts'
import { legRow, type Leg } from '#leg/store/legs.ts'
import { vaultRow } from '#books/store/vaults.ts'
import type { Vault } from '#books/rules/vault.ts'

const liveRow = mandates.row.extend({
  vault: vaultRow.nullable(),
  leg: legRow.nullable(),
  ...dayUseRow.shape,
  refusals: z.record(z.string(), z.number()).nullable(),
  worth_at: z.string().nullable(),
  worth: units.nullable(),
  worth_block: z.number().nullable(),
  version: z.string(),
  changes_at: z.string().nullable(),
})

/** Figures of a mandate that clients poll. */
export interface Live {
  readonly mandate: Mandate
  readonly vault: Vault | null
  readonly leg: Leg | null
  /** What approvals held and the leg used of the daily cap on the UTC day `useDay`. */
  readonly use: DayUse
  readonly useDay: number
  /** Number of items that wait for the owner. */
  readonly pending: number
  /** Number of refused attempts since a time, by kind. */
  readonly refusals: Readonly<Record<string, number>>
  /** The newest mark that was not withheld. */
  readonly worth: { readonly at: string; readonly worth: bigint; readonly block: number } | null
  /** Changes whenever any of these figures changes. */
  readonly version: string
  /**
   * Next time at which the figures change without an event, because an item expires or a refusal becomes too old; null:
   * never.
   */
  readonly changesAt: Date | null
}

/** Returns what approvals hold and the leg uses now: a reservation of today would have changed the version. */
export const useNow = ({ use, useDay }: Live, now: Date): DayUse =>
  useDay === utcDayOf(now) ? use : { ...use, leg_used: 0n, reserved: 0n }

/**
 * Version of the row of a mandate (the transaction that wrote it, and its location) with the time of the newest mark.
 * Triggers of related tables update the row.
 */
const version = sql.fragment`concat(mandate.xmin, mandate.ctid, (SELECT at FROM worth
  WHERE mandate_id = mandate.id AND worth IS NOT NULL ORDER BY at DESC LIMIT 1)) AS version`
const versionRow = z.object({ version: z.string() })

/** Returns the version of the polled figures; null if the party may not see the mandate. */
export async function findVersion(db: Db, publicId: string, party: Party, now: Date): Promise<string | null> {
  const row = await db.maybeOne(sql.prepared(`find_version_${partyKind(party)}`, versionRow)`
    SELECT ${version} FROM mandate WHERE public_id = ${publicId} AND ${ofParty(party)} AND ${alive(now)}`)
  return row?.version ?? null
}

/** Returns the polled figures of a mandate; null if the party may not see the mandate. */
export async function findLive(
  db: Db,
  publicId: string,
  party: Party,
  times: { readonly now: Date; readonly refusedSince: Date },
): Promise<Live | null> {
  // A single statement, so that all parts show the same moment; each part is an index scan.
  const row = await db.maybeOne(sql.prepared(`find_live_${partyKind(party)}`, liveRow)`
    SELECT ${mandates.list}, ${version},
      (SELECT to_jsonb(v) FROM vault v WHERE v.mandate_id = mandate.id) AS vault,
      (SELECT to_jsonb(l) FROM leg l WHERE l.mandate_id = mandate.id) AS leg,
      held_calls, held_orders, pending, leg_used, reserved, worth_at, worth, worth_block, refusals, least(ends_first, leaves_first) AS changes_at
    FROM mandate
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(amount) FILTER (WHERE kind = 'call'), 0) AS held_calls,
        coalesce(sum(amount) FILTER (WHERE kind = 'leg_order'), 0) AS held_orders, count(*) FILTER (WHERE status = 'pending') AS pending,
        min(expires_at) AS ends_first FROM approval
      WHERE mandate_id = mandate.id AND status IN ('pending', 'approved') AND expires_at > ${times.now.toISOString()}) AS open
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(used), 0) AS leg_used, coalesce(sum(reserved) FILTER (WHERE outcome IS NULL), 0) AS reserved
      FROM leg_reservation WHERE mandate_id = mandate.id AND day = ${utcDayOf(times.now)}) AS day
    LEFT JOIN LATERAL (
      SELECT at AS worth_at, worth, block_number AS worth_block FROM worth
      WHERE mandate_id = mandate.id AND worth IS NOT NULL ORDER BY at DESC LIMIT 1) AS mark ON true
    CROSS JOIN LATERAL (
      SELECT json_object_agg(kind, n ORDER BY kind) AS refusals,
        min(first) + (${times.now.toISOString()}::timestamptz - ${times.refusedSince.toISOString()}::timestamptz) AS leaves_first
      FROM (
        SELECT kind, count(*) AS n, min(at) AS first FROM refusal
        WHERE mandate_id = mandate.id AND canonical AND at > ${times.refusedSince.toISOString()} GROUP BY kind) AS counted) AS refused
    WHERE public_id = ${publicId} AND ${ofParty(party)} AND ${alive(times.now)}`)
  if (row === null) return null
  const { vault, leg, held_calls, held_orders, pending, leg_used, reserved } = row
  const { refusals, worth_at, worth, worth_block, changes_at } = row
  return {
    mandate: mandateOf(row),
    vault,
    leg,
    use: { held_calls, held_orders, pending, leg_used, reserved },
    useDay: utcDayOf(times.now),
    pending,
    refusals: refusals ?? {},
    worth:
      worth_at === null || worth === null || worth_block === null ? null : { at: worth_at, worth, block: worth_block },
    version: row.version,
    changesAt: changes_at === null ? null : new Date(changes_at),
  }
}
