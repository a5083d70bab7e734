import { sql, type Db, type Pool, type Tx } from '@svc/postgres'
import { z } from 'zod'

const row = z.object({
  day: z.string(),
  accounts: z.number(),
  root: z.string(),
  computed_at: z.string(),
})
/** The Merkle root over all balances of a UTC day. */
export type Root = z.output<typeof row>
const signedRow = row.extend({ jws: z.string() })
export type SignedRoot = z.output<typeof signedRow>

const COLUMNS = sql.fragment`root.day::text AS day, root.accounts, encode(root.root, 'hex') AS root, root.computed_at`

const publishedRow = row.extend({ jws: z.string().nullable() })

/** Returns the newest root, signed or not; null before the first. */
export function newestRoot(db: Db): Promise<(Root & { readonly jws: string | null }) | null> {
  return db.maybeOne(sql.type(publishedRow)`
    SELECT ${COLUMNS}, root.jws FROM balance_root AS root ORDER BY root.day DESC LIMIT 1`)
}

/** Returns the signed roots, newest first. */
export function signedRoots(db: Db, limit: number): Promise<readonly SignedRoot[]> {
  return db.any(sql.prepared('balance_roots_signed', signedRow)`
    SELECT ${COLUMNS}, root.jws FROM balance_root AS root WHERE root.jws IS NOT NULL ORDER BY root.day DESC LIMIT ${limit}`)
}

const sumRow = row.pick({ accounts: true, root: true })

/**
 * Computes the root of a day over all accounts from one snapshot, and stores it with its tree; null if no account is open.
 * 100,000 accounts take about a second, so it has a longer time limit than statements of requests.
 */
export async function makeRoot(tx: Tx, day: string, at: Date): Promise<Pick<Root, 'accounts' | 'root'> | null> {
  await tx.query(sql.unsafe`SET LOCAL statement_timeout = '120s'`)
  return tx.maybeOne(sql.type(sumRow)`
    SELECT accounts, encode(root, 'hex') AS root FROM balance_snapshot(${day}::date, ${at.toISOString()}::timestamptz)`)
}

/** Stores the signature of a root, unless it has one. */
export async function storeSignature(db: Db, day: string, jws: string): Promise<void> {
  await db.query(sql.unsafe`UPDATE balance_root SET jws = ${jws} WHERE day = ${day}::date AND jws IS NULL`)
}

/** Deletes leaves and levels of roots that are `days` or more before a day; the roots stay. */
export async function forgetProofs(pool: Pool, day: string, days: number): Promise<void> {
  await pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`SET LOCAL statement_timeout = '120s'`)
    for (const table of ['balance_leaf', 'balance_level'])
      await tx.query(sql.unsafe`
        DELETE FROM ${sql.identifier([table])} WHERE day <= ${day}::date - ${days}::int`)
  })
}

const proofRow = signedRow.extend({
  genesis: z.string(),
  entries: z.number(),
  balance: z.number(),
  head: z.string(),
  position: z.number(),
  path: z.array(z.string()),
})
/** What shows that an account is under a root. */
export type Proof = z.output<typeof proofRow>

/**
 * Returns the proof of an account under the root of a day, or under the newest signed one that covers it; null if there is
 * none. It reads 32 bytes of each level: the hash beside the way, unless the node there has no neighbour and moves up.
 */
export function proofOf(db: Db, accountId: number, day: string | null): Promise<Proof | null> {
  return db.maybeOne(sql.prepared('balance_proof', proofRow)`
    SELECT ${COLUMNS}, root.jws, encode(account.genesis, 'hex') AS genesis, leaf.entries, leaf.balance,
      encode(leaf.head, 'hex') AS head, leaf.position, path.hashes AS path
    FROM balance_leaf AS leaf
    JOIN balance_root AS root ON root.day = leaf.day AND root.jws IS NOT NULL
    JOIN ledger_account AS account ON account.holder_id = leaf.account_id AND account.kind = 'user',
    LATERAL (
      SELECT coalesce(array_agg(encode(substr(level.hashes, (beside.at * 32 + 1)::int, 32), 'hex') ORDER BY level.level), '{}') AS hashes
      FROM balance_level AS level, LATERAL (SELECT (leaf.position >> level.level) # 1 AS at) AS beside
      WHERE level.day = leaf.day AND beside.at * 32 < octet_length(level.hashes)
    ) AS path
    WHERE leaf.account_id = ${accountId} AND (${day}::date IS NULL OR leaf.day = ${day}::date)
    ORDER BY leaf.day DESC LIMIT 1`)
}
