import type { Deposit } from '@svc/contracts/chain-indexer/deposits'
import { sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const deposits = table('deposit', {
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

const storedDeposits = table('deposit', { chain_id: z.number(), ...deposits.columns })
const depositAgain = storedDeposits.onConflict(['chain_id', 'tx_hash', 'address', 'transfer_ordinal'], ['revision'])

/** A transfer to a watched address as the sweep found it. */
export type FoundDeposit = Omit<Deposit, 'status' | 'revision'>

const wire = (chainId: number, { sender, ...row }: RowOf<typeof deposits>): Deposit => ({
  ...row,
  chain_id: chainId,
  from: sender,
})

/** Stores a transfer and returns the deposit; null if it is already stored in the same block. */
export async function putDeposit(tx: Tx, found: FoundDeposit): Promise<Deposit | null> {
  const { from, ...transfer } = found
  const first = { ...transfer, sender: from, status: 'pending', revision: 1 } as const
  const row = await tx.maybeOne(sql.type(deposits.row)`
    ${storedDeposits.insert(first)}
    ${depositAgain}, confirmed_at = NULL, rechecked_at = NULL, revision = deposit.revision + 1
      WHERE deposit.status = 'orphaned' OR deposit.block_hash <> EXCLUDED.block_hash
    RETURNING ${deposits.list}`)
  return row === null ? null : wire(found.chain_id, row)
}

/** Takes back the deposits above a block and returns them, newest first. */
export async function orphanDeposits(tx: Tx, chainId: number, above: number): Promise<readonly Deposit[]> {
  const rows = await tx.any(sql.type(deposits.row)`
    WITH taken AS (
      UPDATE deposit SET status = 'orphaned', revision = revision + 1
      WHERE chain_id = ${chainId} AND status <> 'orphaned' AND block_number > ${above}
      RETURNING *
    )
    SELECT ${deposits.list} FROM taken ORDER BY block_number DESC, tx_hash, transfer_ordinal DESC`)
  return rows.map((row) => wire(chainId, row))
}

/** Returns pending deposits and those confirmed after a time, longest unchecked first. */
export async function depositsToCheck(
  db: Db,
  chainId: number,
  confirmedAfter: Date,
  max: number,
): Promise<readonly Deposit[]> {
  const rows = await db.any(sql.type(deposits.row)`
    SELECT ${deposits.list} FROM deposit
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
  const row = await tx.maybeOne(sql.type(deposits.row)`
    UPDATE deposit SET rechecked_at = ${at}, status = ${status},
      confirmed_at = CASE WHEN ${status} = 'confirmed' THEN coalesce(confirmed_at, ${at}) ELSE confirmed_at END,
      revision = CASE WHEN status = ${status} THEN revision ELSE revision + 1 END
    WHERE chain_id = ${chain_id} AND tx_hash = ${tx_hash} AND address = ${address}
      AND transfer_ordinal = ${transfer_ordinal} AND revision = ${revision}
    RETURNING ${deposits.list}`)
  return row === null ? null : wire(chain_id, row)
}
