import type { Db, Tx } from '@svc/postgres'
import { sql } from '@svc/postgres'
import { z } from 'zod'
import type { Wallet } from '../domain/wallet-address.ts'

const accountRow = z.object({
  account_id: z.number(),
  kind: z.enum(['agent', 'owner']),
  wallet: z.custom<Wallet>((value) => typeof value === 'string'),
  name: z.string().nullable(),
  created_at: z.string(),
})
export type AccountRow = z.output<typeof accountRow>
const idRow = z.object({ account_id: z.number() })

/** Creates an account; null when the wallet has one of this kind. */
export async function insertAccount(
  tx: Tx,
  account: { kind: 'agent' | 'owner'; wallet: Wallet; name: string | null },
  now: Date,
): Promise<number | null> {
  const row = await tx.maybeOne(sql.type(idRow)`
    INSERT INTO accounts (kind, wallet, name, created_at)
    VALUES (${account.kind}, ${account.wallet}, ${account.name}, ${now.toISOString()})
    ON CONFLICT (wallet, kind) DO NOTHING RETURNING account_id`)
  return row?.account_id ?? null
}

export async function findAccount(db: Db, wallet: Wallet, kind: 'agent' | 'owner'): Promise<number | null> {
  const row = await db.maybeOne(
    sql.type(idRow)`SELECT account_id FROM accounts WHERE wallet = ${wallet} AND kind = ${kind}`,
  )
  return row?.account_id ?? null
}

/** Holds an account until the end of the transaction, so that counts of its keys and sessions stay true. */
export async function lockAccount(tx: Tx, accountId: number): Promise<void> {
  await tx.one(sql.type(idRow)`SELECT account_id FROM accounts WHERE account_id = ${accountId} FOR UPDATE`)
}

export function getAccounts(db: Db, accountIds: readonly number[]): Promise<readonly AccountRow[]> {
  return db.any(sql.prepared('get_accounts', accountRow)`
    SELECT account_id, kind, wallet, name, created_at FROM accounts WHERE account_id = ANY(${sql.array([...accountIds], 'int8')})`)
}

/** Accounts of the same wallet, the given one included; none for an unknown account. */
export async function relatedAccounts(db: Db, accountId: number): Promise<readonly number[]> {
  const rows = await db.any(sql.type(idRow)`
    SELECT other.account_id FROM accounts AS own JOIN accounts AS other USING (wallet)
    WHERE own.account_id = ${accountId} ORDER BY other.account_id`)
  return rows.map((row) => row.account_id)
}
