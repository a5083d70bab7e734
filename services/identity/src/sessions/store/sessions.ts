import type { Db, Tx } from '@svc/postgres'
import { sql } from '@svc/postgres'
import { z } from 'zod'
import type { SessionState, Turns } from '../rules/refresh-token.ts'
import type { Wallet } from '#wallets/rules/wallet-address.ts'

export type EndReason = 'logout' | 'reuse' | 'replaced'

export interface NewSession {
  readonly sessionId: string
  readonly accountId: number
  readonly familyHash: string
  readonly turnHash: string
  readonly startedAt: Date
  readonly refreshUntil: Date
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO sessions (session_id, account_id, family_hash, turn_hashes, started_at, refresh_until)
    VALUES (${session.sessionId}, ${session.accountId}, ${session.familyHash}, ${sql.array([session.turnHash], 'text')},
      ${session.startedAt.toISOString()}, ${session.refreshUntil.toISOString()})`)
}

const walletText = z.custom<Wallet>((value) => typeof value === 'string')

const stateRow = z.object({
  account_id: z.number(),
  wallet: walletText,
  family_hash: z.string(),
  turn_hashes: z.array(z.string()),
  used_hash: z.string().nullable(),
  used_at: z.string().nullable(),
  started_at: z.string(),
  refresh_until: z.string(),
  ended_at: z.string().nullable(),
})

/** Reads and locks a session, so that of two refreshes with one token exactly one is first. */
export async function lockSession(
  tx: Tx,
  sessionId: string,
): Promise<(SessionState & { accountId: number; wallet: Wallet; startedAt: Date }) | null> {
  const row = await tx.maybeOne(sql.type(stateRow)`
    SELECT s.account_id, a.wallet, s.family_hash, s.turn_hashes, s.used_hash, s.used_at, s.started_at, s.refresh_until, s.ended_at
    FROM sessions AS s JOIN accounts AS a USING (account_id) WHERE s.session_id = ${sessionId} FOR UPDATE OF s`)
  if (row === null) return null
  return {
    accountId: row.account_id,
    wallet: row.wallet,
    familyHash: row.family_hash,
    turnHashes: row.turn_hashes,
    usedHash: row.used_hash,
    usedAt: row.used_at === null ? null : new Date(row.used_at),
    startedAt: new Date(row.started_at),
    refreshUntil: new Date(row.refresh_until),
    endedAt: row.ended_at === null ? null : new Date(row.ended_at),
  }
}

export async function rotateSession(tx: Tx, sessionId: string, turns: Turns, refreshUntil: Date): Promise<void> {
  const { turnHashes, usedHash, usedAt } = turns
  await tx.query(sql.unsafe`
    UPDATE sessions SET turn_hashes = ${sql.array([...turnHashes], 'text')}, used_hash = ${usedHash},
      used_at = ${usedAt?.toISOString() ?? null}, refresh_until = ${refreshUntil.toISOString()}
    WHERE session_id = ${sessionId}`)
}

/** Ends a session; returns false if it had ended before. */
export async function endSession(tx: Tx, sessionId: string, reason: EndReason, now: Date): Promise<boolean> {
  const ended = await tx.query(sql.unsafe`
    UPDATE sessions SET ended_at = ${now.toISOString()}, end_reason = ${reason} WHERE session_id = ${sessionId} AND ended_at IS NULL`)
  return ended.rowCount > 0
}

const sessionIdRow = z.object({ session_id: z.string() })

/** Ends all but the newest `keep` sessions of an account; returns the ids of the ended ones. */
export async function endOldSessions(tx: Tx, accountId: number, keep: number, now: Date): Promise<readonly string[]> {
  const rows = await tx.any(sql.type(sessionIdRow)`
    UPDATE sessions SET ended_at = ${now.toISOString()}, end_reason = 'replaced'
    WHERE session_id IN (
      SELECT session_id FROM sessions WHERE account_id = ${accountId} AND ended_at IS NULL ORDER BY started_at DESC, session_id OFFSET ${keep})
    RETURNING session_id`)
  return rows.map((row) => row.session_id)
}

const holderRow = z.object({
  session_id: z.string(),
  account_id: z.number(),
  wallet: walletText,
})

/** Returns the owners of those sessions that are live now, in one statement for any number of sessions. */
export function liveSessions(
  db: Db,
  sessionIds: readonly string[],
  now: Date,
): Promise<readonly z.output<typeof holderRow>[]> {
  return db.any(sql.prepared('live_sessions', holderRow)`
    SELECT s.session_id, s.account_id, a.wallet FROM sessions AS s JOIN accounts AS a USING (account_id)
    WHERE s.session_id = ANY(${sql.array([...sessionIds], 'text')}) AND s.ended_at IS NULL AND s.refresh_until > ${now.toISOString()}::timestamptz`)
}

export async function forgetSessions(db: Db, before: Date, max: number): Promise<number> {
  const gone = await db.query(sql.unsafe`
    DELETE FROM sessions WHERE session_id IN (
      SELECT session_id FROM sessions WHERE least(ended_at, refresh_until) < ${before.toISOString()} LIMIT ${max} FOR UPDATE SKIP LOCKED)`)
  return gone.rowCount
}
