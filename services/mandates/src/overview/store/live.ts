import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import type { Mandate } from '#mandate/rules/mandate.ts'
import {
  alive,
  mandateColumns,
  mandateFields,
  mandateOf,
  ofParty,
  partyKind,
  type Party,
} from '#mandate/store/mandates.ts'
import { vaultRow } from '#books/store/vaults.ts'
import type { Vault } from '#books/rules/vault.ts'

const units = z.string().transform(BigInt)
const liveRow = mandateFields.extend({
  vault: vaultRow.nullable(),
  held: units,
  pending: z.number(),
  refusals: z.record(z.string(), z.number()).nullable(),
  worth_at: z.string().nullable(),
  worth: units.nullable(),
  worth_block: z.number().nullable(),
  version: z.string(),
  changes_at: z.string().nullable(),
})

/** What is polled of a mandate. */
export interface Live {
  readonly mandate: Mandate
  readonly vault: Vault | null
  /** Base units that open items hold. */
  readonly held: bigint
  /** How many items wait for the owner. */
  readonly pending: number
  /** Refused attempts since a time, by their kind. */
  readonly refusals: Readonly<Record<string, number>>
  /** The newest mark that was not withheld. */
  readonly worth: { readonly at: string; readonly worth: bigint; readonly block: number } | null
  /** Another one after every change of what stands here. */
  readonly version: string
  /** When it changes by itself, because an item ends or a refusal is too old; null: never. */
  readonly changesAt: Date | null
}

/**
 * The version of the mandate's row as Postgres keeps it (the transaction that wrote it, and its place), which triggers
 * of the tables around it move on, with the time of the newest mark.
 */
const version = sql.fragment`concat(mandate.xmin, mandate.ctid, (SELECT at FROM worth
  WHERE mandate_id = mandate.id AND worth IS NOT NULL ORDER BY at DESC LIMIT 1)) AS version`
const versionRow = z.object({ version: z.string() })

/** Version of what is polled of a mandate; null for whom it is not there. */
export async function findVersion(db: Db, publicId: string, party: Party, now: Date): Promise<string | null> {
  const row = await db.maybeOne(sql.prepared(`find_version_${partyKind(party)}`, versionRow)`
    SELECT ${version} FROM mandate WHERE public_id = ${publicId} AND ${ofParty(party)} AND ${alive(now)}`)
  return row?.version ?? null
}

/** What is polled of a mandate; null for whom it is not there. */
export async function findLive(
  db: Db,
  publicId: string,
  party: Party,
  times: { readonly now: Date; readonly refusedSince: Date },
): Promise<Live | null> {
  // One statement, so that its parts are of one moment; each is an index scan of its own.
  const row = await db.maybeOne(sql.prepared(`find_live_${partyKind(party)}`, liveRow)`
    SELECT ${mandateColumns}, ${version},
      (SELECT to_jsonb(v) FROM vault v WHERE v.mandate_id = mandate.id) AS vault,
      held, pending, worth_at, worth, worth_block, refusals, least(ends_first, leaves_first) AS changes_at
    FROM mandate
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(amount), 0) AS held, count(*) FILTER (WHERE status = 'pending') AS pending,
        min(expires_at) AS ends_first FROM approval
      WHERE mandate_id = mandate.id AND status IN ('pending', 'approved') AND expires_at > ${times.now.toISOString()}) AS open
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
  const { vault, held, pending, refusals, worth_at, worth, worth_block, changes_at } = row
  return {
    mandate: mandateOf(row),
    vault,
    held,
    pending,
    refusals: refusals ?? {},
    worth:
      worth_at === null || worth === null || worth_block === null ? null : { at: worth_at, worth, block: worth_block },
    version: row.version,
    changesAt: changes_at === null ? null : new Date(changes_at),
  }
}
