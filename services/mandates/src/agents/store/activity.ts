import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const activityRow = z.object({
  at: z.string(),
  place: z.string(),
  kind: z.string(),
  what: z.enum(['event', 'balance', 'transfer', 'cherry']),
  public_id: z.string().nullable(),
  seq: z.number().nullable(),
  transfer_id: z.number().nullable(),
  cherry_transfer_id: z.number().nullable(),
  tx_hash: z.string().nullable(),
  body: z.record(z.string(), z.unknown()),
})
/** An action of an agent, or something that happened to it. */
export type Activity = z.output<typeof activityRow>

/** Where a page of activity ended. Items of one instant are ordered by `place`. */
export type ActivityEnd = Pick<Activity, 'at' | 'place'>

/** Returns record entries, transfers, deposits and Cherry movements of an agent, newest first. */
export function activityOf(
  db: Db,
  agentId: number,
  end: ActivityEnd | null,
  limit: number,
): Promise<readonly Activity[]> {
  const before = end?.at ?? 'infinity'
  const place = end?.place ?? ''
  // Each branch reads its index from the end of the previous page; numbers are padded so that they sort as text.
  return db.any(sql.type(activityRow)`
    (SELECT e.at, e.place, e.kind, CASE WHEN e.kind LIKE 'chain_fact%' THEN 'balance' ELSE 'event' END AS what, m.public_id, e.seq,
       NULL::bigint AS transfer_id, NULL::bigint AS cherry_transfer_id, e.tx_hash, e.entry->'body' AS body
     FROM mandate m CROSS JOIN LATERAL (
       SELECT *, ('entry:' || lpad(m.id::text, 19, '0') || ':' || lpad(r.seq::text, 19, '0')) COLLATE "C" AS place
       FROM record_entry r WHERE r.mandate_id = m.id AND r.at <= ${before}
         AND (r.at < ${before} OR 'entry:' || lpad(m.id::text, 19, '0') || ':' || lpad(r.seq::text, 19, '0') < ${place} COLLATE "C")
         AND (r.source = 'agent' OR r.kind IN ('chain_fact', 'chain_fact_orphaned', 'refused', 'violation', 'approval_approved', 'approval_used',
           'leg_order', 'leg_stop_line'))
       ORDER BY r.at DESC, r.seq DESC LIMIT ${limit}) e
     WHERE m.agent_id = ${agentId} ORDER BY e.at DESC, e.place DESC LIMIT ${limit})
    UNION ALL
    (SELECT reported_at, ('transfer:' || lpad(id::text, 19, '0')) COLLATE "C", state, 'transfer', NULL, NULL, id, NULL, tx_hash,
       jsonb_build_object('chain_id', chain_id, 'asset', asset, 'amount', trim_scale(amount * 0.1 ^ decimals)::text,
         'direction', direction, 'reason', reason)
     FROM transfer WHERE agent_id = ${agentId} AND reported_at <= ${before}
       AND (reported_at < ${before} OR 'transfer:' || lpad(id::text, 19, '0') < ${place} COLLATE "C")
     ORDER BY reported_at DESC, id DESC LIMIT ${limit})
    UNION ALL
    (SELECT at, ('deposit:' || tx_hash || ':' || lpad(transfer_ordinal::text, 19, '0')) COLLATE "C", 'deposit_' || status, 'balance', NULL,
       NULL, NULL, NULL, tx_hash, jsonb_build_object('chain_id', chain_id, 'from', sender, 'asset', asset,
         'amount', trim_scale(amount * 0.000001)::text, 'block_number', block_number)
     FROM deposit WHERE agent_id = ${agentId} AND at <= ${before}
       AND (at < ${before} OR 'deposit:' || tx_hash || ':' || lpad(transfer_ordinal::text, 19, '0') < ${place} COLLATE "C")
     ORDER BY at DESC, tx_hash DESC, transfer_ordinal DESC LIMIT ${limit})
    UNION ALL
    (SELECT at, ('cherry:' || lpad(transfer_id::text, 19, '0')) COLLATE "C", kind, 'cherry', NULL, NULL, NULL, transfer_id, NULL,
       jsonb_build_object('amount', amount, 'reference', reference)
     FROM cherry_move WHERE account_id = ${agentId} AND at <= ${before}
       AND (at < ${before} OR 'cherry:' || lpad(transfer_id::text, 19, '0') < ${place} COLLATE "C")
     ORDER BY at DESC, transfer_id DESC LIMIT ${limit})
    ORDER BY at DESC, place DESC LIMIT ${limit}`)
}

/** Stores a movement of an account's Cherry as published. */
export async function insertCherryMove(
  tx: Tx,
  moved: {
    readonly transfer_id: number
    readonly account_id: number
    readonly amount: number
    readonly kind: string
    readonly reference: string
  },
  at: string,
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO cherry_move (account_id, transfer_id, amount, kind, reference, at)
    VALUES (${moved.account_id}, ${moved.transfer_id}, ${moved.amount}, ${moved.kind}, ${moved.reference}, ${at})
    ON CONFLICT (account_id, transfer_id) DO NOTHING`)
}
