import { READABLE_WITHIN_MS } from '@svc/contracts/gallery/reads'
import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** Longest time between two beats that is no gap. */
const BEAT_WITHIN_MS = 45_000

/** Stores that paid reads can be served at `now`, and the gap since the last time if it was long. Returns true for a gap. */
export async function noteBeat(tx: Tx, now: Date): Promise<boolean> {
  const at = now.toISOString()
  await tx.query(sql.unsafe`INSERT INTO read_beat (at) VALUES (${at}) ON CONFLICT DO NOTHING`)
  const { rowCount } = await tx.query(sql.unsafe`
    INSERT INTO read_gap (from_at, to_at)
    SELECT at, ${at} FROM read_beat WHERE at < ${new Date(now.getTime() - BEAT_WITHIN_MS).toISOString()} FOR UPDATE`)
  await tx.query(sql.unsafe`UPDATE read_beat SET at = ${at} WHERE at < ${at}`)
  return rowCount > 0
}

const seqRow = z.object({ seq: z.number() })

/**
 * Returns which signals of a vault could be read only late: recorded in a gap that lasted longer than a minute after
 * them. A gap lasts until now if no beat has ended it yet.
 */
export async function lateSeqs(
  db: Db,
  { vaultId, seqs, now }: { readonly vaultId: string; readonly seqs: readonly number[]; readonly now: Date },
): Promise<ReadonlySet<number>> {
  const rows = await db.any(sql.prepared('signals_late', seqRow)`
    WITH gap AS (
      SELECT from_at, to_at FROM read_gap
      UNION ALL
      SELECT at, ${now.toISOString()}::timestamptz FROM read_beat
      WHERE at < ${new Date(now.getTime() - BEAT_WITHIN_MS).toISOString()}::timestamptz
    )
    SELECT s.seq FROM signal AS s
    WHERE s.vault_id = ${vaultId} AND s.seq = ANY(${sql.array([...seqs], 'int4')}) AND EXISTS (
      SELECT 1 FROM gap WHERE gap.from_at <= s.recorded_at
        AND gap.to_at > s.recorded_at + ${READABLE_WITHIN_MS} * interval '1 millisecond')`)
  return new Set(rows.map(({ seq }) => seq))
}
