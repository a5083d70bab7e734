import type { Db, Tx } from '@svc/postgres'
import { sql } from '@svc/postgres'
import { Outage } from '@svc/service'
import { z } from 'zod'
import type { MadeCode } from '../rules/pair-code.ts'

export async function insertPairCode(
  tx: Tx,
  code: { readonly hash: string; readonly ownerId: number; readonly expiresAt: Date },
  now: Date,
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO pair_codes (code_hash, owner_id, created_at, expires_at)
    VALUES (${code.hash}, ${code.ownerId}, ${now.toISOString()}, ${code.expiresAt.toISOString()})`)
}

const codeRow = z.object({ created_at: z.string(), expires_at: z.string(), used_at: z.string().nullable() })

/** Returns the owner's newest codes since `since`, at most 100. Lock the owner first, so that the count stays correct. */
export async function codesSince(tx: Tx, ownerId: number, since: Date): Promise<readonly MadeCode[]> {
  const rows = await tx.any(sql.type(codeRow)`
    SELECT created_at, expires_at, used_at FROM pair_codes
    WHERE owner_id = ${ownerId} AND created_at > ${since.toISOString()} ORDER BY created_at DESC LIMIT 100`)
  return rows.map((row) => ({
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
    used: row.used_at !== null,
  }))
}

/** Returns true if a code can be used now. */
export async function isLive(db: Db, hash: string, now: Date): Promise<boolean> {
  return db.exists(sql.unsafe`
    SELECT 1 FROM pair_codes WHERE code_hash = ${hash} AND used_at IS NULL AND expires_at > ${now.toISOString()}`)
}

const ownerIdRow = z.object({ owner_id: z.number() })

/**
 * Marks a code as used and returns its owner; null if it cannot be used. Of concurrent calls the first locks the row; the
 * others wait for its commit and find the code used.
 */
export async function takePairCode(tx: Tx, hash: string, agentId: number, now: Date): Promise<number | null> {
  const row = await tx.maybeOne(sql.type(ownerIdRow)`
    UPDATE pair_codes SET used_at = ${now.toISOString()}, used_by = ${agentId}
    WHERE code_hash = ${hash} AND used_at IS NULL AND expires_at > ${now.toISOString()} RETURNING owner_id`)
  return row?.owner_id ?? null
}

const shownAtRow = z.object({ shown_at: z.string() })

/** Returns the times of the agent's wrong codes since `since`, newest first. Lock the agent first. */
export async function wrongCodesSince(tx: Tx, agentId: number, since: Date): Promise<readonly Date[]> {
  const rows = await tx.any(sql.type(shownAtRow)`
    SELECT shown_at FROM wrong_pair_codes WHERE agent_id = ${agentId} AND shown_at > ${since.toISOString()}
    ORDER BY shown_at DESC LIMIT 100`)
  return rows.map((row) => new Date(row.shown_at))
}

export async function insertWrongCode(tx: Tx, agentId: number, now: Date): Promise<void> {
  await tx.query(
    sql.unsafe`INSERT INTO wrong_pair_codes (agent_id, shown_at) VALUES (${agentId}, ${now.toISOString()})`,
  )
}

export async function forgetPairCodes(db: Db, before: Date, max: number): Promise<number> {
  const codes = await db.query(sql.unsafe`
    DELETE FROM pair_codes WHERE code_hash = ANY (ARRAY(
      SELECT code_hash FROM pair_codes WHERE created_at < ${before.toISOString()} LIMIT ${max} FOR UPDATE SKIP LOCKED))`)
  const wrong = await db.query(sql.unsafe`
    DELETE FROM wrong_pair_codes WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM wrong_pair_codes WHERE shown_at < ${before.toISOString()} LIMIT ${max} FOR UPDATE SKIP LOCKED))`)
  return codes.rowCount + wrong.rowCount
}

const UNDEFINED_TABLE = '42P01'

/** Rethrows an error; as an `Outage` if the tables of pair codes do not exist yet, before the migration. */
export function outageWithoutTables(error: unknown): never {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (Reflect.get(cause, 'code') === UNDEFINED_TABLE)
      throw new Outage('postgres', 'the tables of pair codes are not there yet', { cause: error })
  }
  throw error
}
