import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const outcome = z.enum(['filled', 'missed', 'refused', 'expired'])
const row = z
  .object({
    follow_id: z.string(),
    seq: z.number(),
    n: z.union([z.literal(1), z.literal(2)]),
    key: z.string(),
    body: z.string(),
    not_after: z.string().transform((text) => new Date(text)),
    outcome: outcome.nullable(),
    code: z.string().nullable(),
    size: z.string().nullable(),
    price: z.string().nullable(),
    ended_at: z
      .string()
      .nullable()
      .transform((text) => (text === null ? null : new Date(text))),
  })
  .transform(({ follow_id, not_after, ended_at, ...order }) => ({
    ...order,
    followId: follow_id,
    notAfter: not_after,
    endedAt: ended_at,
  }))
/** An order of the house runner. `outcome` is null until it is certain; `code` is then that of the last answer. */
export type StoredOrder = z.output<typeof row>

/** What became of an order. */
export interface Outcome {
  readonly outcome: z.output<typeof outcome>
  readonly code: string | null
  readonly size: string | null
  readonly price: string | null
}

const COLUMNS = sql.fragment`follow_id, seq, n, key, body, not_after, outcome, code, size::text, price::text, ended_at`

/** Returns the orders of a signal of a follow, the first one first. */
export function ordersOf(db: Db, followId: string, seq: number): Promise<readonly StoredOrder[]> {
  return db.any(
    sql.type(row)`SELECT ${COLUMNS} FROM follow_order WHERE follow_id = ${followId} AND seq = ${seq} ORDER BY n`,
  )
}

/** Stores an order before it is sent; one that is stored stays as it is. The follow must be locked. */
export async function insertOrder(
  tx: Tx,
  order: Pick<StoredOrder, 'followId' | 'seq' | 'n' | 'key' | 'body' | 'notAfter'>,
  now: Date,
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO follow_order (follow_id, seq, n, key, body, not_after, planned_at)
    VALUES (${order.followId}, ${order.seq}, ${order.n}, ${order.key}, ${order.body}, ${order.notAfter.toISOString()},
      ${now.toISOString()})
    ON CONFLICT (follow_id, seq, n) DO NOTHING`)
}

/** Notes the code of an answer that does not say what became of an order. */
export async function noteCode(db: Db, { followId, seq, n }: StoredOrder, code: string): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE follow_order SET code = ${code} WHERE follow_id = ${followId} AND seq = ${seq} AND n = ${n} AND outcome IS NULL`)
}

/** Stores what became of an order, once, and returns the order as it is then. */
export async function storeOutcome(
  db: Db,
  { followId, seq, n }: StoredOrder,
  { outcome: word, code, size, price }: Outcome,
  now: Date,
): Promise<StoredOrder> {
  const stored = await db.maybeOne(sql.type(row)`
    UPDATE follow_order SET outcome = ${word}, code = ${code}, size = ${size}, price = ${price}, ended_at = ${now.toISOString()}
    WHERE follow_id = ${followId} AND seq = ${seq} AND n = ${n} AND outcome IS NULL RETURNING ${COLUMNS}`)
  if (stored !== null) return stored
  return db.one(sql.type(row)`
    SELECT ${COLUMNS} FROM follow_order WHERE follow_id = ${followId} AND seq = ${seq} AND n = ${n}`)
}

const idRow = z.object({ follow_id: z.string() })

/** Returns those follows that have an order for their next signal. */
export async function followsWithOrders(db: Db, followIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.any(sql.type(idRow)`
    SELECT DISTINCT follow_id FROM follow_order JOIN follow ON follow.id = follow_id AND follow_order.seq > decided_seq
    WHERE follow_id = ANY(${sql.array([...followIds], 'text')})`)
  return new Set(rows.map(({ follow_id }) => follow_id))
}
