import type { Deposit } from '@svc/contracts/chain-indexer/deposits'
import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const depositRow = z.object({
  tx_hash: z.string(),
  address: z.string(),
  transfer_ordinal: z.number(),
  sender: z.string(),
  asset: z.string(),
  amount: z.string(),
  block_number: z.number(),
  block_hash: z.string(),
  block_time: z.string(),
  status: z.enum(['pending', 'confirmed', 'orphaned']),
  revision: z.number(),
})

const columns = sql.fragment`tx_hash, address, transfer_ordinal, sender, asset, amount, block_number, block_hash,
  block_time, status, revision`

/** A transfer to a watched address as the sweep found it. */
export type FoundDeposit = Omit<Deposit, 'status' | 'revision'>

const wire = (chainId: number, { sender, ...row }: z.output<typeof depositRow>): Deposit => ({
  ...row,
  chain_id: chainId,
  from: sender,
})

/** Stores a transfer and returns the deposit; null if it is already stored in the same block. */
export async function putDeposit(tx: Tx, found: FoundDeposit): Promise<Deposit | null> {
  const row = await tx.maybeOne(sql.type(depositRow)`
    INSERT INTO deposit (chain_id, tx_hash, address, transfer_ordinal, sender, asset, amount, block_number, block_hash,
      block_time, status, revision)
    VALUES (${found.chain_id}, ${found.tx_hash}, ${found.address}, ${found.transfer_ordinal}, ${found.from},
      ${found.asset}, ${found.amount}, ${found.block_number}, ${found.block_hash}, ${found.block_time}, 'pending', 1)
    ON CONFLICT (chain_id, tx_hash, address, transfer_ordinal) DO UPDATE SET
      sender = EXCLUDED.sender, asset = EXCLUDED.asset, amount = EXCLUDED.amount, block_number = EXCLUDED.block_number,
      block_hash = EXCLUDED.block_hash, block_time = EXCLUDED.block_time, status = 'pending', confirmed_at = NULL,
      rechecked_at = NULL, revision = deposit.revision + 1
      WHERE deposit.status = 'orphaned' OR deposit.block_hash <> EXCLUDED.block_hash
    RETURNING ${columns}`)
  return row === null ? null : wire(found.chain_id, row)
}

/** Takes back the deposits above a block and returns them, newest first. */
export async function orphanDeposits(tx: Tx, chainId: number, above: number): Promise<readonly Deposit[]> {
  const rows = await tx.any(sql.type(depositRow)`
    WITH taken AS (
      UPDATE deposit SET status = 'orphaned', revision = revision + 1
      WHERE chain_id = ${chainId} AND status <> 'orphaned' AND block_number > ${above}
      RETURNING *
    )
    SELECT ${columns} FROM taken ORDER BY block_number DESC, tx_hash, transfer_ordinal DESC`)
  return rows.map((row) => wire(chainId, row))
}

/** Returns pending deposits and those confirmed after a time, longest unchecked first. */
export async function depositsToCheck(
  db: Db,
  chainId: number,
  confirmedAfter: Date,
  max: number,
): Promise<readonly Deposit[]> {
  const rows = await db.any(sql.type(depositRow)`
    SELECT ${columns} FROM deposit
    WHERE chain_id = ${chainId} AND (status = 'pending' OR (status = 'confirmed' AND confirmed_at > ${confirmedAfter.toISOString()}))
    ORDER BY rechecked_at NULLS FIRST, tx_hash, address, transfer_ordinal LIMIT ${max}`)
  return rows.map((row) => wire(chainId, row))
}

/** Stores the status that a check found and returns the deposit; null if it has changed since it was read. */
export async function storeDepositStatus(
  tx: Tx,
  deposit: Deposit,
  status: Deposit['status'],
  now: Date,
): Promise<Deposit | null> {
  const { chain_id, tx_hash, address, transfer_ordinal, revision } = deposit
  const at = now.toISOString()
  const row = await tx.maybeOne(sql.type(depositRow)`
    UPDATE deposit SET rechecked_at = ${at}, status = ${status},
      confirmed_at = CASE WHEN ${status} = 'confirmed' THEN coalesce(confirmed_at, ${at}) ELSE confirmed_at END,
      revision = CASE WHEN status = ${status} THEN revision ELSE revision + 1 END
    WHERE chain_id = ${chain_id} AND tx_hash = ${tx_hash} AND address = ${address}
      AND transfer_ordinal = ${transfer_ordinal} AND revision = ${revision}
    RETURNING ${columns}`)
  return row === null ? null : wire(chain_id, row)
}
