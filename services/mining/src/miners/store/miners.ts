import { sql, table, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { MinerRecord } from '../rules/miner-record.ts'
import { wilsonLowerBound } from '../rules/wilson.ts'

const miners = table('miner', {
  approved: z.number(),
  rejected: z.number(),
  rejections_in_a_row: z.number(),
  paused_until: z.string().nullable(),
})
const rankedMiners = table('miner', { ...miners.columns, standing: z.number() })
const countRow = z.object({ n: z.number() })

/**
 * Locks the account's row until the transaction ends. Every change of an account's submissions or payouts takes this lock
 * first, so that counts and plans are never concurrent.
 */
export async function lockMiner(tx: Tx, accountId: number): Promise<MinerRecord> {
  const known = await tx.maybeOne(lockedRow(accountId))
  if (known !== null) return known
  await tx.query(sql.unsafe`INSERT INTO miner (account_id) VALUES (${accountId}) ON CONFLICT DO NOTHING`)
  return tx.one(lockedRow(accountId))
}

const lockedRow = (accountId: number) => sql.type(miners.row)`
  SELECT ${miners.list} FROM miner WHERE account_id = ${accountId} FOR UPDATE`

/** Returns the record without a lock; an empty one for an account that never submitted. */
export async function readMiner(db: Db, accountId: number): Promise<MinerRecord> {
  const row = await db.maybeOne(sql.type(miners.row)`
    SELECT ${miners.list} FROM miner WHERE account_id = ${accountId}`)
  return row ?? { approved: 0, rejected: 0, rejections_in_a_row: 0, paused_until: null }
}

export async function putMiner(tx: Tx, accountId: number, record: MinerRecord): Promise<void> {
  const standing = wilsonLowerBound(record.approved, record.rejected)
  await tx.query(sql.unsafe`
    UPDATE miner SET ${rankedMiners.set({ ...record, standing })} WHERE account_id = ${accountId}`)
}

export async function countPending(db: Db, accountId: number): Promise<number> {
  const row = await db.one(
    sql.type(countRow)`SELECT count(*) AS n FROM submission WHERE account_id = ${accountId} AND status = 'pending'`,
  )
  return row.n
}
