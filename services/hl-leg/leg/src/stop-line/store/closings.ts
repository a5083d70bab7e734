import { instant, json, sql, table, typed, units, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const closed = z.object({
  market: z.string(),
  side: z.enum(['buy', 'sell']),
  size: z.string(),
  average_price: z.string().nullable(),
})
/** What an order of a closing executed, as decimal text; the price is null while that is not known. */
export type Closed = z.output<typeof closed>

/** What a closing begins with. */
const begun = table('closing', {
  publicId: z.string(),
  cause: z.enum(['stop_line', 'agent_silent']),
  worth: typed('numeric', units.nullable()),
  line: typed('numeric', units.nullable()),
  ownerMoved: typed('bool', z.boolean()),
  readAt: typed('timestamptz', instant),
})
/** A closing to begin. */
export type NewClosing = RowOf<typeof begun>
const stored = table('closing', { ...begun.columns, startedAt: typed('timestamptz', instant) })

const closings = table('closing', {
  id: z.number(),
  ...begun.columns,
  transientTicks: z.number(),
  closed: json(z.array(closed)),
  toldAt: instant.nullable(),
})
const { row: closingRow, list: columns } = closings
/** A closing that has not ended. `worth` and `line` are null for an agent that is silent; `toldAt`: mandates acknowledged the stop. */
export type Closing = RowOf<typeof closings>

/** Returns the closings that have not ended, oldest first. */
export function openClosings(db: Db): Promise<readonly Closing[]> {
  return db.any(sql.type(closingRow)`
    SELECT ${columns} FROM closing WHERE ended_at IS NULL ORDER BY started_at, id LIMIT 1000`)
}

/**
 * Stores closings before their first orders, and returns their rows in any order. Two workers that begin the same one get the same
 * row.
 */
export async function storeClosings(tx: Tx, given: readonly NewClosing[], now: Date): Promise<readonly Closing[]> {
  const keyOf = ({ publicId, cause }: NewClosing) => `${publicId} ${cause}`
  // Ordered, so that two writers lock the rows in the same order.
  const rows = given.map((one) => ({ ...one, startedAt: now })).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  await tx.query(sql.unsafe`
    ${stored.insertAll(rows)} ON CONFLICT (public_id, cause) WHERE ended_at IS NULL DO NOTHING`)
  const keys = sql.unnest(
    rows.map(({ publicId, cause }) => [publicId, cause]),
    ['text', 'text'],
  )
  // A statement of its own: it sees the row that another worker stored meanwhile.
  return tx.any(sql.type(closingRow)`
    SELECT ${columns} FROM closing WHERE ended_at IS NULL AND (public_id, cause) IN (SELECT * FROM ${keys})`)
}

const transientTicksRow = z.object({ transient_ticks: z.number() })

/** Stores what a run closed, and counts it if it left a position for a reason that may pass. */
export async function storeRun(
  db: Db,
  { id }: Pick<Closing, 'id'>,
  run: { readonly closed: readonly Closed[]; readonly transient: boolean },
): Promise<number> {
  return db.oneFirst(sql.type(transientTicksRow)`
    UPDATE closing SET closed = closed || ${sql.jsonb(run.closed as unknown as Parameters<typeof sql.jsonb>[0])},
      transient_ticks = CASE WHEN ${run.transient} THEN transient_ticks + 1 ELSE 0 END
    WHERE id = ${id} RETURNING transient_ticks`)
}

/** Stores that mandates acknowledged the stop. */
export async function storeTold(db: Db, { id }: Pick<Closing, 'id'>, now: Date): Promise<void> {
  await db.query(sql.unsafe`UPDATE closing SET told_at = ${now.toISOString()} WHERE id = ${id} AND told_at IS NULL`)
}

/** Ends a closing: no position is left, and a stop was acknowledged. */
export async function endClosing(db: Db, { id }: Pick<Closing, 'id'>, now: Date): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE closing SET ended_at = ${now.toISOString()}
    WHERE id = ${id} AND ended_at IS NULL AND (cause = 'agent_silent' OR told_at IS NOT NULL)`)
}
