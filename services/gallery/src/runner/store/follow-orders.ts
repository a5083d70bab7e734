import { instant, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const outcome = z.enum(['filled', 'missed', 'refused', 'expired'])
const orders = table('follow_order', {
  followId: z.string(),
  seq: z.number(),
  n: z.union([z.literal(1), z.literal(2)]),
  key: z.string(),
  body: z.string(),
  sends: z.number(),
  notAfter: instant,
  outcome: outcome.nullable(),
  code: z.string().nullable(),
  size: z.string().nullable(),
  price: z.string().nullable(),
  endedAt: instant.nullable(),
})
const newOrders = table('follow_order', {
  ...orders.pick('followId', 'seq', 'n', 'key', 'body', 'notAfter').columns,
  plannedAt: instant,
})
/** An order of the house runner; it was sent `sends` times. `outcome` is null until it is certain; `code` is then that of the last answer. */
export type StoredOrder = RowOf<typeof orders>

/** What became of an order. */
export interface Outcome {
  readonly outcome: z.output<typeof outcome>
  readonly code: string | null
  readonly size: string | null
  readonly price: string | null
}

/** Returns the orders of a signal of a follow, the first one first. */
export function ordersOf(db: Db, followId: string, seq: number): Promise<readonly StoredOrder[]> {
  return db.any(
    sql.type(
      orders.row,
    )`SELECT ${orders.list} FROM follow_order WHERE follow_id = ${followId} AND seq = ${seq} ORDER BY n`,
  )
}

/**
 * Stores an order before it is sent; one that is stored stays as it is, whether its number or its key tells that it is. The
 * follow must be locked.
 */
export async function insertOrder(tx: Tx, order: Omit<RowOf<typeof newOrders>, 'plannedAt'>, now: Date): Promise<void> {
  await tx.query(sql.unsafe`
    ${newOrders.insert({ ...order, plannedAt: now })} ON CONFLICT DO NOTHING`)
}

const sendRow = z
  .object({ sends: z.number(), before: z.string().nullable() })
  .transform(({ sends, before }) => ({ n: sends, before: before === null ? null : new Date(before) }))
/** A request that is about to be sent; `before`: until when an earlier one may be on its way. */
export type Send = z.output<typeof sendRow>

/** Counts a request before it is sent; null if the outcome of the order is certain already. */
export function beginSend(db: Db, { followId, seq, n }: StoredOrder, until: Date): Promise<Send | null> {
  return db.maybeOne(sql.type(sendRow)`
    WITH was AS (
      SELECT in_flight_until FROM follow_order WHERE follow_id = ${followId} AND seq = ${seq} AND n = ${n} FOR UPDATE)
    UPDATE follow_order SET sends = sends + 1, in_flight_until = greatest(was.in_flight_until, ${until.toISOString()})
    FROM was WHERE follow_id = ${followId} AND seq = ${seq} AND n = ${n} AND outcome IS NULL
    RETURNING sends, was.in_flight_until AS before`)
}

/** Notes that a request was answered, unless another one was sent meanwhile. */
export async function endSend(db: Db, { followId, seq, n }: StoredOrder, send: Send): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE follow_order SET in_flight_until = ${send.before?.toISOString() ?? null}
    WHERE follow_id = ${followId} AND seq = ${seq} AND n = ${n} AND sends = ${send.n}`)
}

/** Notes the code of an answer that does not say what became of an order. */
export async function noteCode(db: Db, { followId, seq, n }: StoredOrder, code: string): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE follow_order SET code = ${code} WHERE follow_id = ${followId} AND seq = ${seq} AND n = ${n} AND outcome IS NULL`)
}

/**
 * Stores what became of an order, once, and returns the order as it is then. With `sends` an outcome is stored only while no
 * other request than these was sent: what one was refused another may place. Null while the outcome stays open.
 */
export async function storeOutcome(
  db: Db,
  { followId, seq, n }: StoredOrder,
  { outcome: ended, code, size, price }: Outcome,
  { now, sends }: { readonly now: Date; readonly sends: number | null },
): Promise<StoredOrder | null> {
  const stored = await db.maybeOne(sql.type(orders.row)`
    UPDATE follow_order SET ${orders.set({ outcome: ended, code, size, price, endedAt: now })}
    WHERE follow_id = ${followId} AND seq = ${seq} AND n = ${n} AND outcome IS NULL AND sends = coalesce(${sends}, sends)
    RETURNING ${orders.list}`)
  if (stored !== null) return stored
  return db.maybeOne(sql.type(orders.row)`
    SELECT ${orders.list} FROM follow_order
    WHERE follow_id = ${followId} AND seq = ${seq} AND n = ${n} AND outcome IS NOT NULL`)
}

const idRow = z.object({ follow_id: z.string() })

/** Returns those follows that have an order for their next signal. */
export async function followsWithOrders(db: Db, followIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.any(sql.type(idRow)`
    SELECT DISTINCT follow_id FROM follow_order JOIN follow ON follow.id = follow_id AND follow_order.seq > decided_seq
    WHERE follow_id = ANY(${sql.array([...followIds], 'text')})`)
  return new Set(rows.map(({ follow_id }) => follow_id))
}
