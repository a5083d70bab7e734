import { followEndReason, type FollowEndReason } from '@svc/contracts/gallery/gaps'
import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const row = z
  .object({
    id: z.string(),
    seq: z.number(),
    mandate_id: z.string(),
    listing_id: z.string(),
    vault_id: z.string(),
    agent_id: z.number(),
    owner_id: z.number(),
    account: z.string(),
    after_seq: z.number(),
    decided_seq: z.number(),
    hired_at: z.string(),
    ended_at: z.string().nullable(),
    end_reason: followEndReason.nullable(),
    last_seq: z.number().nullable(),
  })
  .transform((follow) => ({
    id: follow.id,
    seq: follow.seq,
    mandateId: follow.mandate_id,
    listingId: follow.listing_id,
    vaultId: follow.vault_id,
    agentId: follow.agent_id,
    ownerId: follow.owner_id,
    account: follow.account,
    afterSeq: follow.after_seq,
    /** Signals up to it have their verdicts. */
    decidedSeq: follow.decided_seq,
    hiredAt: follow.hired_at,
    endedAt: follow.ended_at,
    endReason: follow.end_reason,
    /** Newest signal recorded before the end; null while the follow is active. */
    lastSeq: follow.last_seq,
  }))
/** A mandate that follows the signals of an operator vault. */
export type Follow = z.output<typeof row>

const COLUMNS = sql.fragment`id, seq, mandate_id, listing_id, vault_id, agent_id, owner_id, account, after_seq, decided_seq,
  hired_at, ended_at, end_reason, last_seq`

/** Returns the active follow of a mandate; null without one. */
export function activeFollowOf(db: Db, mandateId: string): Promise<Follow | null> {
  return db.maybeOne(sql.type(row)`
    SELECT ${COLUMNS} FROM follow WHERE mandate_id = ${mandateId} AND ended_at IS NULL`)
}

/** Returns the newest follow of a mandate, of one listing or of any; null without one. */
export function newestFollowOf(db: Db, mandateId: string, listingId: string | null): Promise<Follow | null> {
  return db.maybeOne(sql.type(row)`
    SELECT ${COLUMNS} FROM follow
    WHERE mandate_id = ${mandateId} AND (${listingId}::text IS NULL OR listing_id = ${listingId})
    ORDER BY seq DESC LIMIT 1`)
}

/** Stores a follow; returns null if the mandate has an active one. */
export function insertFollow(
  tx: Tx,
  one: Pick<Follow, 'id' | 'mandateId' | 'listingId' | 'vaultId' | 'agentId' | 'ownerId' | 'account' | 'afterSeq'>,
  { hiredBy, at }: { readonly hiredBy: number; readonly at: Date },
): Promise<Follow | null> {
  return tx.maybeOne(sql.type(row)`
    INSERT INTO follow (id, mandate_id, listing_id, vault_id, agent_id, owner_id, network, account, after_seq, decided_seq,
      hired_by, hired_at)
    VALUES (${one.id}, ${one.mandateId}, ${one.listingId}, ${one.vaultId}, ${one.agentId}, ${one.ownerId}, 'testnet',
      ${one.account}, ${one.afterSeq}, ${one.afterSeq}, ${hiredBy}, ${at.toISOString()})
    ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`)
}

/** Locks follows until the end of the transaction, in the order of their numbers, and returns them as they are then. */
export function lockFollows(tx: Tx, ids: readonly string[]): Promise<readonly Follow[]> {
  return tx.any(sql.type(row)`
    SELECT ${COLUMNS} FROM follow WHERE id = ANY(${sql.array([...ids], 'text')}) ORDER BY seq FOR UPDATE`)
}

/** Ends an active follow at its newest signal. The follow and the numbering of its vault must be locked. */
export function endFollow(
  tx: Tx,
  id: string,
  { reason, lastSeq, at }: { readonly reason: FollowEndReason; readonly lastSeq: number; readonly at: Date },
): Promise<Follow | null> {
  return tx.maybeOne(sql.type(row)`
    UPDATE follow SET ended_at = ${at.toISOString()}, end_reason = ${reason}, last_seq = greatest(${lastSeq}, decided_seq)
    WHERE id = ${id} AND ended_at IS NULL RETURNING ${COLUMNS}`)
}

/** Returns active follows in the order of their numbers, after one of them. */
export function activeFollows(db: Db, after: number, limit: number): Promise<readonly Follow[]> {
  return db.any(sql.type(row)`
    SELECT ${COLUMNS} FROM follow WHERE ended_at IS NULL AND seq > ${after} ORDER BY seq LIMIT ${limit}`)
}

/**
 * Returns follows of an agent that may have signals without a verdict, in the order of their numbers, after one of them:
 * their vault has a newer signal than the last one decided, within the follow.
 */
export function undecidedFollows(db: Db, agentId: number, after: number, limit: number): Promise<readonly Follow[]> {
  // Heads first: a handful of vaults. Then the partial index follow_undecided, in its order.
  return db.any(sql.type(row)`
    WITH head AS MATERIALIZED (
      SELECT vault_id, (SELECT max(signal.seq) FROM signal WHERE signal.vault_id = followed.vault_id) AS newest
      FROM (SELECT DISTINCT vault_id FROM follow WHERE ended_at IS NULL OR decided_seq < last_seq) AS followed)
    SELECT ${COLUMNS} FROM follow JOIN head USING (vault_id)
    WHERE (ended_at IS NULL OR decided_seq < last_seq) AND decided_seq < least(newest, coalesce(last_seq, newest))
      AND agent_id = ${agentId} AND seq > ${after}
    ORDER BY seq LIMIT ${limit}`)
}
