import { sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { Wallet } from '#wallets/rules/wallet-address.ts'

const accounts = table('accounts', {
  account_id: z.number(),
  kind: z.enum(['agent', 'owner']),
  wallet: z.custom<Wallet>((value) => typeof value === 'string'),
  name: z.string().nullable(),
  created_at: z.string(),
})
export type AccountRow = RowOf<typeof accounts>
const newAccounts = accounts.omit('account_id')
const idRow = z.object({ account_id: z.number() })

/** Creates an account and returns its id; null if the wallet has an account of this kind. */
export async function insertAccount(
  tx: Tx,
  account: { kind: 'agent' | 'owner'; wallet: Wallet; name: string | null },
  now: Date,
): Promise<number | null> {
  const row = await tx.maybeOne(sql.type(idRow)`
    ${newAccounts.insert({ ...account, created_at: now.toISOString() })}
    ON CONFLICT (wallet, kind) DO NOTHING RETURNING account_id`)
  return row?.account_id ?? null
}

export async function findAccount(db: Db, wallet: Wallet, kind: 'agent' | 'owner'): Promise<number | null> {
  const row = await db.maybeOne(
    sql.type(idRow)`SELECT account_id FROM accounts WHERE wallet = ${wallet} AND kind = ${kind}`,
  )
  return row?.account_id ?? null
}

/** Locks an account until the end of the transaction, so that counts of its keys and sessions stay correct. */
export async function lockAccount(tx: Tx, accountId: number): Promise<void> {
  await tx.one(sql.type(idRow)`SELECT account_id FROM accounts WHERE account_id = ${accountId} FOR UPDATE`)
}

export function getAccounts(db: Db, accountIds: readonly number[]): Promise<readonly AccountRow[]> {
  return db.any(sql.prepared('get_accounts', accounts.row)`
    SELECT ${accounts.list} FROM accounts WHERE account_id = ANY(${sql.array([...accountIds], 'int8')})`)
}

/** Most accounts of one party that are returned. */
const PARTY_MAX = 500

/**
 * Returns the accounts of one party, the given one included: accounts of the same wallet, an agent and its paired owner,
 * and so on from each of these, sorted by id; none for an unknown account.
 */
export async function relatedAccounts(db: Db, accountId: number): Promise<readonly number[]> {
  const rows = await db.any(sql.prepared('related_accounts', idRow)`
    WITH RECURSIVE party (account_id, wallet) AS (
      SELECT account_id, wallet FROM accounts WHERE account_id = ${accountId}
      UNION
      SELECT next.account_id, next.wallet FROM party CROSS JOIN LATERAL (
        SELECT a.account_id, a.wallet FROM accounts AS a WHERE a.wallet = party.wallet
        UNION ALL
        SELECT a.account_id, a.wallet FROM pairings AS p JOIN accounts AS a ON a.account_id = p.owner_id WHERE p.agent_id = party.account_id
        UNION ALL
        SELECT a.account_id, a.wallet FROM pairings AS p JOIN accounts AS a ON a.account_id = p.agent_id WHERE p.owner_id = party.account_id
      ) AS next
    )
    SELECT account_id FROM party LIMIT ${PARTY_MAX}`)
  return rows.map((row) => row.account_id).toSorted((a, b) => a - b)
}
