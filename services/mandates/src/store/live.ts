import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import type { Mandate } from '../domain/mandate.ts'
import { alive, mandateColumns, mandateFields, mandateOf, ofParty, partyKind, type Party } from './mandates.ts'
import { vaultRow, type Vault } from './vaults.ts'

const units = z.string().transform(BigInt)
const liveRow = mandateFields.extend({
  vault: vaultRow.nullable(),
  held: units,
  pending: z.number(),
  refusals: z.record(z.string(), z.number()).nullable(),
  worth_at: z.string().nullable(),
  worth: units.nullable(),
  worth_block: z.number().nullable(),
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
}

/** What is polled of a mandate; null for whom it is not there. */
export async function findLive(
  db: Db,
  publicId: string,
  party: Party,
  times: { readonly now: Date; readonly refusedSince: Date },
): Promise<Live | null> {
  // One statement, because this is asked every few seconds: each part is an index scan of its own.
  const row = await db.maybeOne(sql.prepared(`find_live_${partyKind(party)}`, liveRow)`
    SELECT ${mandateColumns},
      (SELECT to_jsonb(v) FROM vault v WHERE v.mandate_id = mandate.id) AS vault,
      held, pending, worth_at, worth, worth_block,
      (SELECT json_object_agg(kind, n ORDER BY kind) FROM (
        SELECT kind, count(*) AS n FROM refusal
        WHERE mandate_id = mandate.id AND canonical AND at > ${times.refusedSince.toISOString()} GROUP BY kind) AS counted) AS refusals
    FROM mandate
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(amount), 0) AS held, count(*) FILTER (WHERE status = 'pending') AS pending FROM approval
      WHERE mandate_id = mandate.id AND status IN ('pending', 'approved') AND expires_at > ${times.now.toISOString()}) AS open
    LEFT JOIN LATERAL (
      SELECT at AS worth_at, worth, block_number AS worth_block FROM worth
      WHERE mandate_id = mandate.id AND worth IS NOT NULL ORDER BY at DESC LIMIT 1) AS mark ON true
    WHERE public_id = ${publicId} AND ${ofParty(party)} AND ${alive(times.now)}`)
  if (row === null) return null
  const { vault, held, pending, refusals, worth_at, worth, worth_block } = row
  return {
    mandate: mandateOf(row),
    vault,
    held,
    pending,
    refusals: refusals ?? {},
    worth:
      worth_at === null || worth === null || worth_block === null ? null : { at: worth_at, worth, block: worth_block },
  }
}
