import type { Scope } from '@svc/contract'
import { instant, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { Wallet } from '#wallets/rules/wallet-address.ts'

const scopes = z.array(z.enum(['read', 'write', 'tx']))
const keys = table('api_keys', {
  key_id: z.string(),
  name: z.string(),
  scopes,
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
})
export type KeyRow = RowOf<typeof keys>

const holderRow = z.object({
  hash: z.string(),
  key_id: z.string(),
  account_id: z.number(),
  kind: z.enum(['agent', 'owner']),
  wallet: z.custom<Wallet>((value) => typeof value === 'string'),
  scopes,
  expires_at: z.string().nullable(),
})
export type KeyHolder = z.output<typeof holderRow>

const newKeys = table('api_keys', {
  keyId: z.string(),
  accountId: z.number(),
  hash: z.string(),
  name: z.string(),
  scopes: scopes.readonly(),
  createdAt: instant,
  expiresAt: instant.nullable(),
})
export type NewKey = Omit<RowOf<typeof newKeys>, 'createdAt'>

export async function insertKey(tx: Tx, key: NewKey, now: Date): Promise<void> {
  await tx.query(sql.unsafe`${newKeys.insert({ ...key, createdAt: now })}`)
}

/** Returns live keys, oldest first, at most 100. */
export function listKeys(db: Db, accountId: number, now: Date): Promise<readonly KeyRow[]> {
  return db.any(sql.type(keys.row)`
    SELECT ${keys.list} FROM api_keys
    WHERE account_id = ${accountId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now.toISOString()})
    ORDER BY created_at, key_id LIMIT 100`)
}

const accountIdLiveRow = z.object({ account_id: z.number(), live: z.number() })

/** Counts the live keys of each agent; agents without one are omitted. */
export async function countKeys(db: Db, agentIds: readonly number[], now: Date): Promise<ReadonlyMap<number, number>> {
  const rows = await db.any(sql.type(accountIdLiveRow)`
    SELECT account_id, count(*) AS live FROM api_keys
    WHERE account_id = ANY(${sql.array([...agentIds], 'int8')}) AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > ${now.toISOString()}) GROUP BY account_id`)
  return new Map(rows.map((row) => [row.account_id, row.live]))
}

const accountIdEndsAtRow = z.object({ account_id: z.number(), ends_at: z.string() })

/** Returns when the last live key with scope write of each agent expires; agents with a key that never expires, or with none, are omitted. */
export async function accessEnds(db: Db, agentIds: readonly number[], now: Date): Promise<ReadonlyMap<number, string>> {
  const rows = await db.any(sql.prepared('access_ends', accountIdEndsAtRow)`
    SELECT account_id, max(expires_at) AS ends_at FROM api_keys
    WHERE account_id = ANY(${sql.array([...agentIds], 'int8')}) AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > ${now.toISOString()}::timestamptz) AND 'write' = ANY(scopes)
    GROUP BY account_id HAVING bool_and(expires_at IS NOT NULL)`)
  return new Map(rows.map((row) => [row.account_id, row.ends_at]))
}

const revokedAtRow = z.object({ revoked_at: z.string().nullable() })

/** Revokes a key of an account; returns null for an unknown key. `fresh` is false if it was revoked before. */
export async function revokeKey(
  tx: Tx,
  accountId: number,
  keyId: string,
  now: Date,
): Promise<{ revokedAt: string; fresh: boolean } | null> {
  const row = await tx.maybeOne(sql.type(revokedAtRow)`
    SELECT revoked_at FROM api_keys WHERE key_id = ${keyId} AND account_id = ${accountId} FOR UPDATE`)
  if (row === null) return null
  if (row.revoked_at !== null) return { revokedAt: row.revoked_at, fresh: false }
  await tx.query(sql.unsafe`UPDATE api_keys SET revoked_at = ${now.toISOString()} WHERE key_id = ${keyId}`)
  return { revokedAt: now.toISOString(), fresh: true }
}

/**
 * Returns the holders of live keys and stores the use of each key, at most once a minute. One statement for any number of
 * keys; rows that another call has locked are skipped, so that calls neither wait for nor deadlock each other.
 */
export function useKeys(db: Db, hashes: readonly string[], now: Date): Promise<readonly KeyHolder[]> {
  const at = now.toISOString()
  return db.any(sql.prepared('use_keys', holderRow)`
    WITH found AS (
      SELECT k.hash, k.key_id, k.account_id, a.kind, a.wallet, k.scopes, k.expires_at,
        k.last_used_at IS NULL OR k.last_used_at < ${at}::timestamptz - interval '1 minute' AS stale
      FROM api_keys AS k JOIN accounts AS a USING (account_id)
      WHERE k.hash = ANY(${sql.array([...hashes], 'text')}) AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${at}::timestamptz)
    ),
    free AS (
      SELECT key_id FROM api_keys WHERE key_id IN (SELECT key_id FROM found WHERE stale) FOR NO KEY UPDATE SKIP LOCKED
    ),
    noted AS (
      UPDATE api_keys SET last_used_at = ${at}::timestamptz FROM free WHERE api_keys.key_id = free.key_id
    )
    SELECT hash, key_id, account_id, kind, wallet, scopes, expires_at FROM found`)
}

const scopesRow = z.object({ scopes })

/** Sets the scopes of a live key of an account; returns whether they changed, and null for an unknown key. */
export async function setScopes(
  tx: Tx,
  accountId: number,
  keyId: string,
  wanted: readonly Scope[],
  now: Date,
): Promise<boolean | null> {
  const row = await tx.maybeOne(sql.type(scopesRow)`
    SELECT scopes FROM api_keys WHERE key_id = ${keyId} AND account_id = ${accountId} AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > ${now.toISOString()}) FOR UPDATE`)
  if (row === null) return null
  if (row.scopes.toSorted().join() === wanted.toSorted().join()) return false
  await tx.query(sql.unsafe`
    UPDATE api_keys SET scopes = ${sql.array([...wanted], 'text')} WHERE key_id = ${keyId}`)
  return true
}

const expiresAtRow = z.object({ expires_at: z.string().nullable() })

/** Returns when a live key of an account expires, null for never; undefined for an unknown key. */
export async function keyExpiry(tx: Tx, accountId: number, keyId: string, now: Date): Promise<Date | null | undefined> {
  const row = await tx.maybeOne(sql.type(expiresAtRow)`
    SELECT expires_at FROM api_keys WHERE key_id = ${keyId} AND account_id = ${accountId} AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > ${now.toISOString()})`)
  if (row === null) return undefined
  return row.expires_at === null ? null : new Date(row.expires_at)
}

export async function forgetKeys(db: Db, before: Date, max: number): Promise<number> {
  const gone = await db.query(sql.unsafe`
    DELETE FROM api_keys WHERE key_id IN (
      SELECT key_id FROM api_keys WHERE least(revoked_at, expires_at) < ${before.toISOString()} LIMIT ${max} FOR UPDATE SKIP LOCKED)`)
  return gone.rowCount
}
