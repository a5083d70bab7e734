import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

/** Newest scored verdicts of a vault that its figures are computed of. */
const SCORED_MAX = 1_000

const row = z
  .object({
    vault_id: z.string(),
    followers: z.number(),
    source: z.enum(['live', 'dry']).nullable(),
    median: z.string().nullable(),
    p90: z.string().nullable(),
  })
  .transform(({ vault_id, followers, source, median, p90 }) => ({
    vaultId: vault_id,
    /** Mandates that follow the vault now. */
    followers,
    /** Whether the gaps are those of executed orders, or of dry verdicts while there are none; null without either. */
    gapSource: source,
    /** Basis points by which followers traded worse than the signal's price; below zero: better. Null without a gap. */
    gapBpsMedian: median === null ? null : Number(median),
    gapBpsP90: p90 === null ? null : Number(p90),
  }))
export type FollowFigures = z.output<typeof row>

/** Returns what is recorded of the followers of operator vaults, in the order of their ids. */
export async function followFigures(db: Db, vaultIds: readonly string[]): Promise<ReadonlyMap<string, FollowFigures>> {
  // Each part is one index scan a vault: verdict_gaps, newest first, executed ones and dry ones apart.
  const rows = await db.any(sql.type(row)`
    SELECT asked.vault_id,
      (SELECT count(*) FROM follow WHERE follow.vault_id = asked.vault_id AND ended_at IS NULL) AS followers,
      gaps.source, round(gaps.median::numeric, 2)::text AS median, round(gaps.p90::numeric, 2)::text AS p90
    FROM ${sql.unnest(
      vaultIds.map((id) => [id]),
      ['text'],
    )} AS asked (vault_id)
    LEFT JOIN LATERAL (
      SELECT kind.source, percentile_cont(0.5) WITHIN GROUP (ORDER BY newest.gap_bps) AS median,
        percentile_cont(0.9) WITHIN GROUP (ORDER BY newest.gap_bps) AS p90
      FROM (VALUES ('live', true), ('dry', false)) AS kind (source, live),
        LATERAL (SELECT gap_bps::float8 FROM verdict WHERE verdict.vault_id = asked.vault_id
          AND (verdict.kind = 'followed') = kind.live AND gap_bps IS NOT NULL
          ORDER BY decided_at DESC LIMIT ${SCORED_MAX}) AS newest
      GROUP BY kind.source ORDER BY kind.source = 'live' DESC LIMIT 1) AS gaps ON true
    ORDER BY asked.vault_id`)
  return new Map(rows.map((figures) => [figures.vaultId, figures]))
}
