import { revertedAttempt, type RevertedAttempt } from '@svc/contracts/chain-indexer/attempts'
import { json, sql, table, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** The members of an attempt that are stored as one document. */
const finding = revertedAttempt.pick({
  target: true,
  selector: true,
  approve_amount: true,
  outcome: true,
  kind: true,
  revert: true,
  evidence: true,
})

/** A reverted call as the scan found it, without a revision. */
export type FoundAttempt = Omit<RevertedAttempt, 'revision' | 'canonical'>

const attempts = table('revert_attempt', {
  tx_hash: z.string(),
  block_number: z.number(),
  block_hash: z.string(),
  block_time: z.string(),
  tx_index: z.number(),
  vault: z.string(),
  agent: z.string(),
  finding: json(finding),
  revision: z.number(),
})
const storedAttempts = table('revert_attempt', { ...attempts.columns, chain_id: z.number(), canonical: z.boolean() })
const standAgain = storedAttempts.onConflict(['chain_id', 'tx_hash'], ['revision', 'canonical'])

const revisionRow = z.object({ revision: z.number() })

/** Stores an attempt as canonical. One that returns in another block continues its revisions. */
export async function putAttempt(tx: Tx, attempt: FoundAttempt): Promise<RevertedAttempt> {
  const row = { ...attempt, finding: finding.parse(attempt), revision: 1, canonical: true }
  const { revision } = await tx.one(sql.type(revisionRow)`
    ${storedAttempts.insert(row)}
    ${standAgain}, revision = revert_attempt.revision + 1, canonical = true, orphaned_at = NULL
    RETURNING revision`)
  return { ...attempt, revision, canonical: true }
}

/** Takes back every canonical attempt above a block and returns them, newest first. */
export async function orphanAttempts(
  tx: Tx,
  chainId: number,
  above: number,
  now: Date,
): Promise<readonly RevertedAttempt[]> {
  const rows = await tx.any(sql.type(attempts.row)`
    WITH taken AS (
      UPDATE revert_attempt SET canonical = false, orphaned_at = ${now.toISOString()}, revision = revision + 1
      WHERE chain_id = ${chainId} AND canonical AND block_number > ${above}
      RETURNING *
    )
    SELECT ${attempts.list} FROM taken ORDER BY block_number DESC, tx_index DESC`)
  return rows.map(({ finding: found, ...row }) => ({ ...row, ...found, chain_id: chainId, canonical: false }))
}
