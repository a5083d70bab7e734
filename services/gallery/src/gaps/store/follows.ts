import { followEndReason, type FollowEndReason } from '@svc/contracts/gallery/gaps'
import { sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const follows = table('follow', {
  id: z.string(),
  seq: z.number(),
  mandateId: z.string(),
  listingId: z.string(),
  vaultId: z.string(),
  agentId: z.number(),
  ownerId: z.number(),
  account: z.string(),
  afterSeq: z.number(),
  /** Signals up to it have their verdicts. */
  decidedSeq: z.number(),
  hiredAt: z.string(),
  endedAt: z.string().nullable(),
  endReason: followEndReason.nullable(),
  /** Newest signal recorded before the end; null while the follow is active. */
  lastSeq: z.number().nullable(),
})
const newFollows = table('follow', {
  ...follows.omit('seq', 'endedAt', 'endReason', 'lastSeq').columns,
  network: z.literal('testnet'),
  hiredBy: z.number(),
})
/** A mandate that follows the signals of an operator vault. */
export type Follow = RowOf<typeof follows>

/** Returns the active follow of a mandate; null without one. */
export function activeFollowOf(db: Db, mandateId: string): Promise<Follow | null> {
  return db.maybeOne(sql.type(follows.row)`
    SELECT ${follows.list} FROM follow WHERE mandate_id = ${mandateId} AND ended_at IS NULL`)
}

/** Returns the newest follow of a mandate, of one listing or of any; null without one. */
export function newestFollowOf(db: Db, mandateId: string, listingId: string | null): Promise<Follow | null> {
  return db.maybeOne(sql.type(follows.row)`
    SELECT ${follows.list} FROM follow
    WHERE mandate_id = ${mandateId} AND (${listingId}::text IS NULL OR listing_id = ${listingId})
    ORDER BY seq DESC LIMIT 1`)
}

/** Stores a follow; returns null if the mandate has an active one. */
export function insertFollow(
  tx: Tx,
  one: Omit<RowOf<typeof newFollows>, 'network' | 'decidedSeq' | 'hiredBy' | 'hiredAt'>,
  { hiredBy, at }: { readonly hiredBy: number; readonly at: Date },
): Promise<Follow | null> {
  const hired = { ...one, network: 'testnet', decidedSeq: one.afterSeq, hiredBy, hiredAt: at.toISOString() } as const
  return tx.maybeOne(sql.type(follows.row)`
    ${newFollows.insert(hired)}
    ON CONFLICT DO NOTHING RETURNING ${follows.list}`)
}

/** Locks follows until the end of the transaction, in the order of their numbers, and returns them as they are then. */
export function lockFollows(tx: Tx, ids: readonly string[]): Promise<readonly Follow[]> {
  return tx.any(sql.type(follows.row)`
    SELECT ${follows.list} FROM follow WHERE id = ANY(${sql.array([...ids], 'text')}) ORDER BY seq FOR UPDATE`)
}

/** Ends an active follow at its newest signal. The follow and the numbering of its vault must be locked. */
export function endFollow(
  tx: Tx,
  id: string,
  { reason, lastSeq, at }: { readonly reason: FollowEndReason; readonly lastSeq: number; readonly at: Date },
): Promise<Follow | null> {
  return tx.maybeOne(sql.type(follows.row)`
    UPDATE follow SET ended_at = ${at.toISOString()}, end_reason = ${reason}, last_seq = greatest(${lastSeq}, decided_seq)
    WHERE id = ${id} AND ended_at IS NULL RETURNING ${follows.list}`)
}

/** Returns active follows in the order of their numbers, after one of them. */
export function activeFollows(db: Db, after: number, limit: number): Promise<readonly Follow[]> {
  return db.any(sql.type(follows.row)`
    SELECT ${follows.list} FROM follow WHERE ended_at IS NULL AND seq > ${after} ORDER BY seq LIMIT ${limit}`)
}

/**
 * Returns follows of an agent that may have signals without a verdict, in the order of their numbers, after one of them:
 * their vault has a newer signal than the last one decided, within the follow.
 */
export function undecidedFollows(db: Db, agentId: number, after: number, limit: number): Promise<readonly Follow[]> {
  // Heads first: a handful of vaults. Then the partial index follow_undecided, in its order.
  return db.any(sql.type(follows.row)`
    WITH head AS MATERIALIZED (
      SELECT vault_id, (SELECT max(signal.seq) FROM signal WHERE signal.vault_id = followed.vault_id) AS newest
      FROM (SELECT DISTINCT vault_id FROM follow WHERE ended_at IS NULL OR decided_seq < last_seq) AS followed)
    SELECT ${follows.list} FROM follow JOIN head USING (vault_id)
    WHERE (ended_at IS NULL OR decided_seq < last_seq) AND decided_seq < least(newest, coalesce(last_seq, newest))
      AND agent_id = ${agentId} AND seq > ${after}
    ORDER BY seq LIMIT ${limit}`)
}
