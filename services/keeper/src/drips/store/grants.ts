import { instant, named, sql, table, units, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { DayUse } from '../rules/decide-drip.ts'

const grantRow = z.object({
  id: z.number(),
  chain_id: z.number(),
  account_id: z.number(),
  n: z.literal([1, 2]),
  amount_wei: units,
  balance_wei: units,
  granted_at: instant,
  tx_hash: z.string().nullable(),
  ended: z.boolean(),
})
/** A drip; `tx_hash` is null until its transaction was signed. */
export type Grant = z.output<typeof grantRow>
/** A drip whose transaction was signed. */
export type SignedGrant = Grant & { readonly tx_hash: string }

/** The newest signed form stands for the transaction until one was mined. */
const columns = sql.fragment`g.id, g.chain_id, g.account_id, g.n, g.amount_wei, g.balance_wei, g.granted_at, t.ended_at IS NOT NULL AS ended,
  coalesce(t.tx_hash, (SELECT a.tx_hash FROM attempt a WHERE a.transaction_id = t.id ORDER BY a.number DESC LIMIT 1)) AS tx_hash`
/** A drip counts while its transaction is open or has a nonce: without one it ended before anything left. */
const counts = sql.fragment`(t.ended_at IS NULL OR t.nonce IS NOT NULL)`

/** Serialises the drips of a UTC day on a chain, across processes. */
export async function lockDay(tx: Tx, chainId: number, day: string): Promise<void> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${`gas_drip:${chainId}:${day}`}, 0))`)
}

/** Returns the drip of an Idempotency-Key; null without one. */
export function grantOfKey(db: Db, accountId: number, key: string): Promise<Grant | null> {
  return db.maybeOne(sql.type(grantRow)`
    SELECT ${columns} FROM gas_grant g JOIN transaction t ON t.id = g.transaction_id
    WHERE g.account_id = ${accountId} AND g.idempotency_key = ${key} AND ${counts}`)
}

/** Returns a drip; null if it was deleted. */
export function findGrant(db: Db, id: number): Promise<Grant | null> {
  return db.maybeOne(sql.type(grantRow)`
    SELECT ${columns} FROM gas_grant g JOIN transaction t ON t.id = g.transaction_id WHERE g.id = ${id} AND ${counts}`)
}

/** Returns the drips of a wallet, oldest first. */
export function grantsOf(db: Db, chainId: number, address: string): Promise<readonly Grant[]> {
  return db.any(sql.type(grantRow)`
    SELECT ${columns} FROM gas_grant g JOIN transaction t ON t.id = g.transaction_id
    WHERE g.chain_id = ${chainId} AND g.address = ${address} AND ${counts} ORDER BY g.n`)
}

const countRow = z.object({ count: z.number() })

/** Returns the number of wallets of an account that got drips, other than `address`. */
export function countOtherWallets(tx: Tx, chainId: number, accountId: number, address: string): Promise<number> {
  return tx.oneFirst(sql.type(countRow)`
    SELECT count(DISTINCT address) FROM gas_grant
    WHERE account_id = ${accountId} AND chain_id = ${chainId} AND address <> ${address}`)
}

/** Returns what the drips of a UTC day use of its bounds. */
export async function useOfDay(tx: Tx, chainId: number, day: string): Promise<DayUse> {
  const row = z.object({ count: z.number(), amount: units, draft_count: z.number(), draft_amount: units })
  const { count, amount, draft_count, draft_amount } = await tx.one(sql.type(row)`
    SELECT count(*), coalesce(sum(amount_wei), 0) AS amount,
      count(*) FILTER (WHERE standing = 'draft') AS draft_count,
      coalesce(sum(amount_wei) FILTER (WHERE standing = 'draft'), 0) AS draft_amount
    FROM gas_grant WHERE chain_id = ${chainId} AND day = ${day}`)
  return { count, amount, draftCount: draft_count, draftAmount: draft_amount }
}

const sumRow = z.object({ sum: units })

/** Returns the sum of an account's drips that were not yet sent, or have ended since a time. */
export function pendingOf(tx: Tx, chainId: number, funder: string, since: Date): Promise<bigint> {
  return tx.oneFirst(sql.type(sumRow)`
    SELECT coalesce(sum(value_wei), 0) AS sum FROM transaction
    WHERE chain_id = ${chainId} AND sender = ${funder} AND kind = 'gas_drip'
      AND (ended_at IS NULL OR ended_at > ${since.toISOString()})`)
}

/**
 * Deletes drips that never left, with their transactions, among those that a decision counts: of the wallet, the account and
 * the day.
 */
export async function deleteUnsent(
  tx: Tx,
  { chainId, address, accountId, day }: Pick<NewGrant, 'chainId' | 'address' | 'accountId' | 'day'>,
): Promise<void> {
  await tx.query(sql.unsafe`
    WITH gone AS (
      DELETE FROM gas_grant g USING transaction t
      WHERE t.id = g.transaction_id AND NOT ${counts} AND g.chain_id = ${chainId}
        AND (g.address = ${address} OR g.account_id = ${accountId} OR g.day = ${day})
      RETURNING t.id)
    DELETE FROM transaction USING gone WHERE transaction.id = gone.id`)
}

const grants = table('gas_grant', {
  chainId: z.number(),
  address: z.string(),
  n: z.literal([1, 2]),
  accountId: z.number(),
  standing: z.enum(['draft', 'signed']),
  amount: named('amount_wei', units),
  balance: named('balance_wei', units),
  day: z.string(),
  grantedAt: instant,
  idempotencyKey: z.string().nullable(),
  transactionId: z.number(),
})
/** A drip to store. */
export type NewGrant = RowOf<typeof grants>

const idRow = z.object({ id: z.number() })

/** Stores a drip and returns its id; null if the wallet has this one. */
export function insertGrant(tx: Tx, grant: NewGrant): Promise<number | null> {
  return tx.maybeOneFirst(sql.type(idRow)`${grants.insert(grant)} ON CONFLICT DO NOTHING RETURNING id`)
}
