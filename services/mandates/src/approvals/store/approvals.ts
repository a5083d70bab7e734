import { instant, json, sql, table, units, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'
import { legOrderRequest } from '@svc/contracts/mandates/approvals'
import type { RefusalBlockView } from '@svc/contracts/mandates/verdict'
import type { ChainPoint } from '#books/rules/chain-order.ts'

const approvals = table('approval', {
  id: z.string(),
  seq: z.number(),
  mandate_id: z.number(),
  kind: z.enum(['call', 'leg_order']),
  call_hash: z.string(),
  leg_order: json(legOrderRequest.nullable()),
  target: z.string(),
  data: z.string(),
  amount: units,
  judgement: json(z.custom<RefusalBlockView>().nullable()),
  status: z.enum(['pending', 'approved', 'declined', 'used', 'expired']),
  requested_at: z.string(),
  expires_at: z.string(),
  decided_at: z.string().nullable(),
  used_tx: z.string().nullable(),
})
/** A held call or order of the leg. Amounts are USDC base units, addresses EIP-55. */
export type Approval = RowOf<typeof approvals>

const newApprovals = approvals.omit('seq', 'decided_at', 'used_tx')
const { list: allButStatus } = approvals.omit('status')

/** Stores a held item. The mandate must be locked, since a call is held once. */
export async function insertApproval(
  tx: Tx,
  item: Omit<RowOf<typeof newApprovals>, 'status' | 'requested_at' | 'expires_at'>,
  now: Date,
  expiresAt: Date,
): Promise<Approval> {
  const times = { requested_at: now.toISOString(), expires_at: expiresAt.toISOString() }
  return tx.one(sql.type(approvals.row)`
    ${newApprovals.insert({ ...item, ...times, status: 'pending' })} RETURNING ${approvals.list}`)
}

/** Returns an item as stored; null if the mandate has none with this id. */
export function readApproval(db: Db, mandateId: number, id: string): Promise<Approval | null> {
  return db.maybeOne(sql.type(approvals.row)`
    SELECT ${approvals.list} FROM approval WHERE mandate_id = ${mandateId} AND id = ${id}`)
}

/** Returns the item of a call or order that is pending or approved; null without one. */
export function openItemOf(db: Db, mandateId: number, callHash: string, now: Date): Promise<Approval | null> {
  return db.maybeOne(sql.type(approvals.row)`
    SELECT ${approvals.list} FROM approval
    WHERE mandate_id = ${mandateId} AND call_hash = ${callHash} AND status IN ('pending', 'approved')
      AND expires_at > ${now.toISOString()}`)
}

/** Lists items of a mandate, newest first; an open item past its time has the status expired. */
export function listApprovals(
  db: Db,
  query: {
    readonly mandateId: number
    readonly status: Approval['status'] | null
    readonly id: string | null
    readonly before: number | null
    readonly limit: number
    readonly now: Date
  },
): Promise<readonly Approval[]> {
  return db.any(sql.type(approvals.row)`
    SELECT * FROM (
      SELECT ${allButStatus},
        CASE WHEN status IN ('pending', 'approved') AND expires_at <= ${query.now.toISOString()} THEN 'expired' ELSE status END AS status
      FROM approval WHERE mandate_id = ${query.mandateId}) item
    WHERE (${query.status}::text IS NULL OR status = ${query.status})
      AND (${query.id}::text IS NULL OR id = ${query.id})
      AND (${query.before}::bigint IS NULL OR seq < ${query.before})
    ORDER BY seq DESC LIMIT ${query.limit}`)
}

/** Lists items that wait for the owner, newest first. */
export function waitingApprovals(db: Db, mandateId: number, now: Date, limit: number): Promise<readonly Approval[]> {
  return db.any(sql.type(approvals.row)`
    SELECT ${approvals.list} FROM approval
    WHERE mandate_id = ${mandateId} AND status = 'pending' AND expires_at > ${now.toISOString()}
    ORDER BY seq DESC LIMIT ${limit}`)
}

/** Decides a pending item, with the newest block known; null when it is not pending any more. */
export function decideItem(
  tx: Tx,
  id: string,
  status: 'approved' | 'declined',
  now: Date,
  { expiresAt, head }: { readonly expiresAt: Date; readonly head: ChainPoint | null },
): Promise<Approval | null> {
  return tx.maybeOne(sql.type(approvals.row)`
    UPDATE approval SET status = ${status}, decided_at = ${now.toISOString()}, expires_at = ${expiresAt.toISOString()},
      decided_block = ${head?.number ?? null}, decided_block_hash = ${head?.hash ?? null},
      decided_block_time = ${head?.time ?? null}
    WHERE id = ${id} AND status = 'pending' AND expires_at > ${now.toISOString()}
    RETURNING ${approvals.list}`)
}

/** Expires items of a mandate past their time, after which the same call can be requested again. The mandate must be locked. */
export function lapseApprovals(tx: Tx, mandateId: number, now: Date): Promise<readonly Approval[]> {
  return tx.any(sql.prepared('lapse_approvals', approvals.row)`
    UPDATE approval SET status = 'expired'
    WHERE mandate_id = ${mandateId} AND status IN ('pending', 'approved') AND expires_at <= ${now.toISOString()}
    RETURNING ${approvals.list}`)
}

/** Expires an open item before its time. The mandate must be locked. */
export async function expireApproval(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE approval SET status = 'expired', expires_at = least(expires_at, ${now.toISOString()}::timestamptz)
    WHERE id = ${id} AND status IN ('pending', 'approved')`)
}

/** Expires the open items of a mandate that is over. The mandate must be locked. */
export function endApprovals(tx: Tx, mandateId: number, now: Date): Promise<readonly Approval[]> {
  return tx.any(sql.type(approvals.row)`
    UPDATE approval SET status = 'expired', expires_at = least(expires_at, ${now.toISOString()}::timestamptz)
    WHERE mandate_id = ${mandateId} AND status IN ('pending', 'approved')
    RETURNING ${approvals.list}`)
}

const idRow = z.object({ mandate_id: z.number() })

/** Returns mandates with open items past their time, oldest expiry first. */
export async function mandatesWithLapsed(db: Db, now: Date, max: number): Promise<readonly number[]> {
  const rows = await db.any(sql.type(idRow)`
    SELECT DISTINCT mandate_id FROM (
      SELECT mandate_id FROM approval WHERE status IN ('pending', 'approved') AND expires_at <= ${now.toISOString()}
      ORDER BY expires_at LIMIT ${max}) AS lapsed`)
  return rows.map(({ mandate_id }) => mandate_id)
}

const GIVEN_MAX = 500
const given = table('approval', {
  id: z.string(),
  target: z.string(),
  data: z.string(),
  amount: units,
  decided_at: instant,
  decided_block: z.number().nullable(),
  decided_block_hash: z.string().nullable(),
  decided_block_replaced: z.boolean(),
  expires_at: instant,
  used_tx: z.string().nullable(),
  used_ordinal: z.number().nullable(),
})
const givenRow = given.row.transform((row) => ({
  id: row.id,
  call: { target: row.target, data: row.data, amount: row.amount },
  at: row.decided_at,
  head:
    row.decided_block === null || row.decided_block_hash === null
      ? null
      : { number: row.decided_block, hash: row.decided_block_hash },
  replaced: row.decided_block_replaced,
  expiresAt: row.expires_at,
  usedBy: row.used_tx === null || row.used_ordinal === null ? null : `${row.used_tx}:${row.used_ordinal}`,
}))
/** A granted approval with the execution that used it. */
export type GivenItem = z.output<typeof givenRow>

/**
 * Returns approvals granted for this target, function and amount, oldest first, at most the newest 500. Expired approvals are
 * included, since an execution may have used them in time.
 */
export function givenApprovals(
  db: Db,
  mandateId: number,
  { target, selector, approved }: { readonly target: string; readonly selector: string; readonly approved: bigint },
): Promise<readonly GivenItem[]> {
  return db.any(sql.type(givenRow)`
    SELECT ${given.list} FROM (
      SELECT * FROM approval
      WHERE mandate_id = ${mandateId} AND kind = 'call' AND decided_at IS NOT NULL AND status IN ('approved', 'expired', 'used')
        AND lower(target) = ${target.toLowerCase()} AND amount = ${String(approved)}
        AND left(lower(data), 10) = ${selector.toLowerCase()}
      ORDER BY seq DESC LIMIT ${GIVEN_MAX}) newest
    ORDER BY seq`)
}

/** Marks approvals whose known block a reorganisation has replaced. */
export async function noteReplaced(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE approval SET decided_block_replaced = true
    WHERE id = ANY(${sql.array([...ids], 'text')}) AND NOT decided_block_replaced`)
}

/** Marks an approval as used; returns false if another execution has used it. */
export async function useApproval(tx: Tx, id: string, txHash: string, ordinal: number): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE approval SET status = 'used', used_tx = ${txHash}, used_ordinal = ${ordinal}
    WHERE id = ${id} AND status IN ('approved', 'expired')`)
  return rowCount > 0
}

/**
 * Releases a used approval. It is open again unless it is past its time, its mandate is over, or the same call was requested
 * meanwhile.
 */
export async function releaseApproval(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE approval a SET used_tx = NULL, used_ordinal = NULL, used_order = NULL,
      status = CASE WHEN expires_at > ${now.toISOString()} AND NOT EXISTS (
          SELECT 1 FROM approval o WHERE o.mandate_id = a.mandate_id AND o.call_hash = a.call_hash
            AND o.status IN ('pending', 'approved'))
        AND EXISTS (SELECT 1 FROM mandate m WHERE m.id = a.mandate_id AND m.state NOT IN ('stopped', 'ended', 'closed'))
        THEN 'approved' ELSE 'expired' END
    WHERE id = ${id} AND status = 'used'`)
}

/** Marks an approval as used by an order of the leg; returns false if it is not open. */
export async function useForOrder(tx: Tx, id: string, orderKey: string): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE approval SET status = 'used', used_order = ${orderKey} WHERE id = ${id} AND status = 'approved'`)
  return rowCount > 0
}
