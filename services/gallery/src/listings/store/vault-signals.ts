import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const row = z.object({
  vault_id: z.string(),
  seq: z.number(),
  hash: z.string(),
  before: z.number(),
})

/** The newest signal of a vault, and how many it published since a time. */
export interface VaultSignals {
  readonly head: { readonly seq: number; readonly hash: string }
  readonly count: number
}

/**
 * Returns what vaults have published; a vault without a signal is missing. Signals are numbered without gaps, so the
 * count follows from two of them.
 */
export async function vaultSignals(
  db: Db,
  vaultIds: readonly string[],
  since: Date,
): Promise<ReadonlyMap<string, VaultSignals>> {
  // Two index scans a vault: the newest signal, and the newest one recorded before the time.
  const rows = await db.any(sql.type(row)`
    SELECT head.vault_id, head.seq, head.hash, coalesce(old.seq, 0) AS before
    FROM unnest(${sql.array([...vaultIds], 'text')}) AS vault (id)
    JOIN LATERAL (SELECT vault_id, seq, hash FROM signal WHERE vault_id = vault.id ORDER BY seq DESC LIMIT 1) head ON true
    LEFT JOIN LATERAL (
      SELECT seq FROM signal WHERE vault_id = vault.id AND recorded_at < ${since.toISOString()}
      ORDER BY recorded_at DESC, seq DESC LIMIT 1
    ) old ON true`)
  return new Map(
    rows.map(({ vault_id, seq, hash, before }) => [vault_id, { head: { seq, hash }, count: seq - before }]),
  )
}
