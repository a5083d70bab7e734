import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const instantOf = z.string().transform((text) => new Date(text))
const closed = z.object({
  market: z.string(),
  side: z.enum(['buy', 'sell']),
  size: z.string(),
  average_price: z.string().nullable(),
})
/** What an order of a closing executed, as decimal text; the price is null while that is not known. */
export type Closed = z.output<typeof closed>

const closingRow = z
  .object({
    id: z.number(),
    public_id: z.string(),
    cause: z.enum(['stop_line', 'agent_silent']),
    worth: z.string().nullable(),
    line: z.string().nullable(),
    owner_moved: z.boolean(),
    read_at: instantOf,
    transient_ticks: z.number(),
    closed: z.array(closed),
    told_at: instantOf.nullable(),
  })
  .transform((row) => ({
    id: row.id,
    publicId: row.public_id,
    cause: row.cause,
    worth: row.worth === null ? null : BigInt(row.worth),
    line: row.line === null ? null : BigInt(row.line),
    ownerMoved: row.owner_moved,
    readAt: row.read_at,
    transientTicks: row.transient_ticks,
    closed: row.closed,
    told: row.told_at !== null,
  }))
/** A closing that has not ended. `worth` and `line` are null for an agent that is silent. */
export type Closing = z.output<typeof closingRow>

const columns = sql.fragment`id, public_id, cause, worth, line, owner_moved, read_at, transient_ticks, closed, told_at`

/** Returns the closings that have not ended, oldest first. */
export function openClosings(db: Db): Promise<readonly Closing[]> {
  return db.any(sql.type(closingRow)`
    SELECT ${columns} FROM closing WHERE ended_at IS NULL ORDER BY started_at, id LIMIT 1000`)
}

/** A closing to begin. */
export interface NewClosing extends Pick<Closing, 'publicId' | 'cause' | 'worth' | 'line' | 'ownerMoved' | 'readAt'> {}

/**
 * Stores closings before their first orders, and returns their rows in any order. Two workers that begin the same one get the same
 * row.
 */
export async function storeClosings(tx: Tx, begun: readonly NewClosing[], now: Date): Promise<readonly Closing[]> {
  const rows = begun.map(({ publicId, cause, worth, line, ownerMoved, readAt }) => ({
    public_id: publicId,
    cause,
    worth: worth === null ? null : String(worth),
    line: line === null ? null : String(line),
    owner_moved: ownerMoved,
    read_at: readAt,
  }))
  const given = sql.fragment`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    AS one (public_id text, cause text, worth numeric, line numeric, owner_moved bool, read_at timestamptz)`
  await tx.query(sql.unsafe`
    INSERT INTO closing (public_id, cause, worth, line, owner_moved, read_at, started_at)
    SELECT public_id, cause, worth, line, owner_moved, read_at, ${now.toISOString()}::timestamptz FROM ${given} ORDER BY public_id, cause
    ON CONFLICT (public_id, cause) WHERE ended_at IS NULL DO NOTHING`)
  // A statement of its own: it sees the row that another worker stored meanwhile.
  return tx.any(sql.type(closingRow)`
    SELECT ${columns} FROM closing
    WHERE ended_at IS NULL AND (public_id, cause) IN (SELECT public_id, cause FROM ${given})`)
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
