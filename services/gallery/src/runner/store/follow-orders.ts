import type { RowOf as EffectOf } from '@svc/outbound'
import { instant, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { OrderOutcome } from '../rules/order-outcome.ts'

const orders = table('follow_order', {
  id: z.number(),
  followId: z.string(),
  seq: z.number(),
  n: z.union([z.literal(1), z.literal(2)]),
  key: z.string(),
  body: z.string(),
  notAfter: instant,
  outcome: z.enum(['filled', 'missed', 'refused', 'expired']).nullable(),
  code: z.string().nullable(),
  size: z.string().nullable(),
  price: z.string().nullable(),
  endedAt: instant.nullable(),
})
const newOrders = table('follow_order', {
  ...orders.pick('followId', 'seq', 'n', 'key', 'body', 'notAfter').columns,
  plannedAt: instant,
})
/** An order of the house runner. `outcome` is null until it is certain; `code` is then that of the last answer. */
export type StoredOrder = RowOf<typeof orders>
/** An order as the machine of effects drives it. */
export type OrderEffect = EffectOf<typeof orders.row>

/** Orders of the house runner are effects outside: the columns `effect_…` are those of the machine that drives them. */
export const followOrderKind = {
  name: 'follow_order',
  table: 'follow_order',
  row: orders.row,
  former: {
    state: sql.fragment`(CASE WHEN outcome IS NOT NULL THEN 'ended' WHEN sends = 0 THEN 'planned' ELSE 'sent' END)`,
    outcome: sql.fragment`(CASE WHEN sends = 0 THEN 'abandoned' WHEN outcome = 'refused' THEN 'refused'
      WHEN outcome <> 'filled' THEN 'expired' WHEN code = 'partial' THEN 'partial' ELSE 'done' END)`,
    copies: sql.fragment`sends`,
    // Requests of which none was unanswered were over when the order was planned, or later: its first look-up begins afterwards.
    overAfter: sql.fragment`(extract(epoch FROM least(coalesce(in_flight_until, planned_at), not_after)) * 1000)::bigint`,
  },
}

/** Returns the orders of a signal of a follow, the first one first. */
export function ordersOf(db: Db, followId: string, seq: number): Promise<readonly StoredOrder[]> {
  return db.any(sql.type(orders.row)`
    SELECT ${orders.list} FROM follow_order WHERE follow_id = ${followId} AND seq = ${seq} ORDER BY n`)
}

/**
 * Stores an order before it is sent; one that is stored stays as it is, whether its number or its key tells that it is. The
 * follow must be locked.
 */
export async function insertOrder(tx: Tx, order: RowOf<typeof newOrders>): Promise<void> {
  await tx.query(sql.unsafe`${newOrders.insert(order)} ON CONFLICT DO NOTHING`)
}

/** Stores that the bytes of an order may leave, in columns of the last release. Returns false if that has sent them meanwhile. */
export async function storeReady(tx: Tx, id: number): Promise<boolean> {
  // Then the last release takes a copy of its own for a later one, and ends the order by no refusal.
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE follow_order SET sends = 1, in_flight_until = not_after WHERE id = ${id} AND sends = 0`)
  return rowCount === 1
}

/** Stores the code of an answer that does not say what became of an order. */
export async function noteCode(db: Db, id: number, code: string): Promise<void> {
  await db.query(sql.unsafe`UPDATE follow_order SET code = ${code} WHERE id = ${id} AND outcome IS NULL`)
}

/** Stores what became of an order. */
export async function storeOutcome(tx: Tx, id: number, outcome: OrderOutcome, now: Date): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE follow_order SET ${orders.set({ ...outcome, endedAt: now })} WHERE id = ${id} AND outcome IS NULL`)
}

const idRow = z.object({ follow_id: z.string() })

/** Returns those follows that have an order for their next signal. */
export async function followsWithOrders(db: Db, followIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.any(sql.type(idRow)`
    SELECT DISTINCT follow_id FROM follow_order JOIN follow ON follow.id = follow_id AND follow_order.seq > decided_seq
    WHERE follow_id = ANY(${sql.array([...followIds], 'text')})`)
  return new Set(rows.map(({ follow_id }) => follow_id))
}
