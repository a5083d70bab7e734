import { revertedAttempt, type RevertedAttempt } from '@svc/contracts/chain-indexer/attempts'
import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** Stores a reverted call as it was told; false when a revision at least as high is there. The vault must be locked. */
export async function storeAttempt(tx: Tx, attempt: RevertedAttempt): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    INSERT INTO attempt (chain_id, tx_hash, vault, revision, told)
    VALUES (${attempt.chain_id}, ${attempt.tx_hash.toLowerCase()}, ${attempt.vault.toLowerCase()}, ${attempt.revision},
      ${JSON.stringify(attempt)}::jsonb)
    ON CONFLICT (chain_id, tx_hash) DO UPDATE SET vault = excluded.vault, revision = excluded.revision, told = excluded.told
      WHERE attempt.revision < excluded.revision`)
  return rowCount > 0
}

const knownRow = z.object({ known: z.boolean() })

/** Returns true for a reverted call that was told before, whatever its revision. */
export async function isKnownAttempt(
  db: Db,
  { chain_id, tx_hash }: Pick<RevertedAttempt, 'chain_id' | 'tx_hash'>,
): Promise<boolean> {
  const { known } = await db.one(sql.type(knownRow)`
    SELECT EXISTS (SELECT 1 FROM attempt WHERE chain_id = ${chain_id} AND tx_hash = ${tx_hash.toLowerCase()}) AS known`)
  return known
}

const toldRow = z.object({ told: revertedAttempt })

/** What was told of reverted calls of a vault, in the order of the chain. */
export async function attemptsOf(db: Db, chainId: number, vault: string): Promise<readonly RevertedAttempt[]> {
  const rows = await db.any(sql.type(toldRow)`
    SELECT told FROM attempt WHERE chain_id = ${chainId} AND vault = ${vault}
    ORDER BY (told->>'block_number')::bigint, (told->>'tx_index')::integer`)
  return rows.map(({ told }) => told)
}
