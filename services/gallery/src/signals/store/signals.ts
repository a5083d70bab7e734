import { sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const signals = table('signal', {
  id: z.string(),
  vault_id: z.string(),
  seq: z.number(),
  client_id: z.string(),
  market: z.string(),
  side: z.enum(['long', 'short', 'flat']),
  weight_bps: z.number(),
  limit_price: z.string().nullable(),
  valid_until: z.string().nullable(),
  note: z.string().nullable(),
  recorded_price: z.string(),
  recorded_at: z.string(),
  salt: z.string(),
  /** Empty for the first signal of a vault. */
  previous_hash: z.string(),
  hash: z.string(),
})
/** A published signal. */
export type Signal = RowOf<typeof signals>

/** Returns signals of a vault after a seq, in their order. */
export function signalsAfter(db: Db, vaultId: string, seq: number, limit: number): Promise<readonly Signal[]> {
  return db.any(sql.prepared('signals_after', signals.row)`
    SELECT ${signals.list} FROM signal WHERE vault_id = ${vaultId} AND seq > ${seq} ORDER BY seq LIMIT ${limit}`)
}

/** Returns signals of a vault by their seqs, in their order. */
export function signalsOf(db: Db, vaultId: string, seqs: readonly number[]): Promise<readonly Signal[]> {
  return db.any(sql.prepared('signals_of', signals.row)`
    SELECT ${signals.list} FROM signal WHERE vault_id = ${vaultId} AND seq = ANY(${sql.array([...seqs], 'int4')}) ORDER BY seq`)
}

/** Returns the newest signals of a vault that were recorded since an instant, oldest first. */
export function signalsSince(db: Db, vaultId: string, since: Date, limit: number): Promise<readonly Signal[]> {
  return db.any(sql.prepared('signals_since', signals.row)`
    SELECT * FROM (
      SELECT ${signals.list} FROM signal WHERE vault_id = ${vaultId} AND recorded_at >= ${since.toISOString()}
      ORDER BY seq DESC LIMIT ${limit}) AS newest
    ORDER BY seq`)
}

/** Returns the signal that an operator published under its own name for it; null if there is none. */
export function signalOfClient(db: Db, vaultId: string, clientId: string): Promise<Signal | null> {
  return db.maybeOne(sql.prepared('signal_of_client', signals.row)`
    SELECT ${signals.list} FROM signal WHERE vault_id = ${vaultId} AND client_id = ${clientId}`)
}

const heads = signals.pick('vault_id', 'seq', 'hash', 'recorded_at')
/** The newest signal of a vault. */
export type SignalHead = RowOf<typeof heads>

/** Returns the newest signal of each vault that has one. */
export function signalHeads(db: Db, vaultIds: readonly string[]): Promise<readonly SignalHead[]> {
  return db.any(sql.prepared('signal_heads', heads.row)`
    SELECT head.* FROM unnest(${sql.array([...vaultIds], 'text')}) AS vault (id), LATERAL (
      SELECT ${heads.list} FROM signal WHERE vault_id = vault.id ORDER BY seq DESC LIMIT 1
    ) AS head`)
}

/** Locks the numbering of a vault until the end of the transaction, so that its signals come one after another. */
export async function lockSignals(tx: Tx, vaultId: string): Promise<void> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${`signal:${vaultId}`}, 0))`)
}

const recordedAtRow = z.object({ recorded_at: z.string() })

/** Returns when the signal was recorded that is `back` signals before the newest one; null if there are fewer. */
export async function recordedBack(tx: Tx, vaultId: string, back: number): Promise<Date | null> {
  const found = await tx.maybeOne(sql.type(recordedAtRow)`
    SELECT recorded_at FROM signal WHERE vault_id = ${vaultId} ORDER BY seq DESC OFFSET ${back} LIMIT 1`)
  return found === null ? null : new Date(found.recorded_at)
}

export async function insertSignal(tx: Tx, one: Signal): Promise<void> {
  await tx.query(sql.unsafe`${signals.insert(one)}`)
}
