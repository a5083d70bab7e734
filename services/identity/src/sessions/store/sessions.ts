import { instant, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { Turns } from '../rules/refresh-token.ts'
import type { Wallet } from '#wallets/rules/wallet-address.ts'

export type EndReason = 'logout' | 'reuse' | 'replaced'

const walletText = z.custom<Wallet>((value) => typeof value === 'string')

const states = table('sessions', {
  accountId: z.number(),
  familyHash: z.string(),
  turnHashes: z.array(z.string()).readonly(),
  usedHash: z.string().nullable(),
  usedAt: instant.nullable(),
  startedAt: instant,
  refreshUntil: instant,
  endedAt: instant.nullable(),
})
const stateColumns = states.listOf('s')
const stateRow = states.row.extend({ wallet: walletText })
const newSessions = table('sessions', {
  sessionId: z.string(),
  ...states.omit('usedHash', 'usedAt', 'endedAt').columns,
})

export interface NewSession extends Omit<RowOf<typeof newSessions>, 'turnHashes'> {
  readonly turnHash: string
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx.query(sql.unsafe`${newSessions.insert({ ...session, turnHashes: [session.turnHash] })}`)
}

/** Reads and locks a session, so that of two refreshes with one token exactly one is first. */
export function lockSession(tx: Tx, sessionId: string): Promise<z.output<typeof stateRow> | null> {
  return tx.maybeOne(sql.type(stateRow)`
    SELECT ${stateColumns}, a.wallet
    FROM sessions AS s JOIN accounts AS a USING (account_id) WHERE s.session_id = ${sessionId} FOR UPDATE OF s`)
}

export async function rotateSession(tx: Tx, sessionId: string, turns: Turns, refreshUntil: Date): Promise<void> {
  const { turnHashes, usedHash, usedAt } = turns
  await tx.query(sql.unsafe`
    UPDATE sessions SET ${states.set({ turnHashes, usedHash, usedAt, refreshUntil })}
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
