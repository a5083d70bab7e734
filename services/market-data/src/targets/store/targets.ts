import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const status = z.enum(['active', 'paused', 'removed'])
const targetRow = z.object({
  token_id: z.string(),
  exchange: z.string(),
  symbol: z.string(),
  instance_id: z.number(),
  status,
  hf_captures: z.number(),
  added_at: z.string(),
  trading: z.enum(['trading', 'halted', 'delisted']),
  /** Newest minute in which the exchange answered; null before the first. */
  answered_at: z.string().nullable(),
})
export type TargetRow = z.output<typeof targetRow>

/** Locks the targets of an account until the end of the transaction, so that two calls cannot exceed its limit. */
export async function lockAccount(tx: Tx, accountId: number, tier: number): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO target_account (account_id, tier) VALUES (${accountId}, ${tier})
    ON CONFLICT (account_id) DO UPDATE SET tier = excluded.tier`)
}

/** Stores the tier of an event; false if the event is older than the stored one, or if the account has no targets. */
export async function noteTier(tx: Tx, accountId: number, tier: number, seq: number): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE target_account SET tier = ${tier}, tier_seq = ${seq} WHERE account_id = ${accountId} AND tier_seq < ${seq}`)
  return rowCount > 0
}

/** Returns the targets of an account without removed ones, oldest first. */
export async function targetsOf(db: Db, accountId: number): Promise<readonly TargetRow[]> {
  return db.any(sql.type(targetRow)`
    SELECT token_id, exchange, symbol, instance_id, status, hf_captures, added_at, trading, venue_state.minute AS answered_at
    FROM target JOIN token USING (token_id) JOIN token_instance USING (instance_id, token_id) LEFT JOIN venue_state USING (exchange)
    WHERE account_id = ${accountId} AND status <> 'removed' ORDER BY added_at, token_id`)
}

/** Makes a pair an active target. A target that was not removed keeps its `added_at`. */
export async function putTarget(
  tx: Tx,
  accountId: number,
  tokenId: string,
  hfCaptures: number | null,
  now: Date,
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO target (account_id, token_id, status, hf_captures, added_at)
    VALUES (${accountId}, ${tokenId}, 'active', ${hfCaptures ?? 0}, ${now.toISOString()})
    ON CONFLICT (account_id, token_id) DO UPDATE SET status = 'active',
      hf_captures = coalesce(${hfCaptures}::smallint, CASE WHEN target.status = 'removed' THEN 0 ELSE target.hf_captures END),
      added_at = CASE WHEN target.status = 'removed' THEN excluded.added_at ELSE target.added_at END`)
}

/** Removes a target; false if the pair was not a target. */
export async function removeTarget(tx: Tx, accountId: number, tokenId: string): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE target SET status = 'removed', hf_captures = 0
    WHERE account_id = ${accountId} AND token_id = ${tokenId} AND status <> 'removed'`)
  return rowCount > 0
}

/** Sets the status of some targets of an account. */
export async function setStatus(
  tx: Tx,
  accountId: number,
  tokenIds: readonly string[],
  to: 'active' | 'paused',
): Promise<void> {
  if (tokenIds.length === 0) return
  await tx.query(sql.unsafe`
    UPDATE target SET status = ${to} WHERE account_id = ${accountId} AND token_id = ANY(${sql.array([...tokenIds], 'text')})`)
}

const activeRow = z.object({ active: z.number() })

export async function countActive(db: Db, accountId: number): Promise<number> {
  return db.oneFirst(sql.type(activeRow)`
    SELECT count(*)::int AS active FROM target WHERE account_id = ${accountId} AND status = 'active'`)
}

const waitingRow = z.object({ account_id: z.number(), token_id: z.string(), exchange: z.string() })

/**
 * Returns the paused targets that the tiers of their accounts allow, the longest known first, and locks them: they wait for a
 * place at their venue. Few accounts have paused targets, and the index names them.
 */
export async function waitingTargets(
  tx: Tx,
  limits: readonly number[],
  max: number,
): Promise<readonly z.output<typeof waitingRow>[]> {
  return tx.any(sql.type(waitingRow)`
    SELECT target.account_id, target.token_id, exchange FROM target JOIN token USING (token_id) JOIN (
      SELECT account_id, token_id, tier, row_number() OVER (PARTITION BY account_id ORDER BY added_at, token_id) AS place
      FROM target JOIN target_account USING (account_id)
      WHERE status <> 'removed' AND account_id IN (SELECT account_id FROM target WHERE status = 'paused')
    ) AS placed USING (account_id, token_id)
    WHERE status = 'paused' AND place <= (${sql.array([...limits], 'int4')}::int4[])[tier + 1]
    ORDER BY added_at, target.account_id, target.token_id LIMIT ${max} FOR UPDATE OF target SKIP LOCKED`)
}
