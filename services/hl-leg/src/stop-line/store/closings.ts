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
    readAt: row.read_at,
    transientTicks: row.transient_ticks,
    closed: row.closed,
    told: row.told_at !== null,
  }))
/** A closing that has not ended. `worth` and `line` are null for an agent that is silent. */
export type Closing = z.output<typeof closingRow>

const columns = sql.fragment`id, public_id, cause, worth, line, read_at, transient_ticks, closed, told_at`

/** Returns the closings that have not ended, oldest first. */
export function openClosings(db: Db): Promise<readonly Closing[]> {
  return db.any(sql.type(closingRow)`
    SELECT ${columns} FROM closing WHERE ended_at IS NULL ORDER BY started_at, id LIMIT 1000`)
}

/** A closing to begin. */
export interface NewClosing extends Pick<Closing, 'publicId' | 'cause' | 'worth' | 'line' | 'readAt'> {}

/** Stores a closing before its first order. Two workers that begin the same one get the same row. */
export async function beginClosing(tx: Tx, begun: NewClosing, now: Date): Promise<Closing> {
  const { publicId, cause, worth, line, readAt } = begun
  await tx.query(sql.unsafe`
    INSERT INTO closing (public_id, cause, worth, line, read_at, started_at)
    VALUES (${publicId}, ${cause}, ${worth === null ? null : String(worth)}, ${line === null ? null : String(line)},
      ${readAt.toISOString()}, ${now.toISOString()})
    ON CONFLICT (public_id, cause) WHERE ended_at IS NULL DO NOTHING`)
  return tx.one(sql.type(closingRow)`
    SELECT ${columns} FROM closing WHERE public_id = ${publicId} AND cause = ${cause} AND ended_at IS NULL`)
}

/** Stores what a run closed, and counts it if it left a position for a reason that may pass. */
export async function storeRun(
  db: Db,
  { id }: Pick<Closing, 'id'>,
  run: { readonly closed: readonly Closed[]; readonly transient: boolean },
): Promise<number> {
  return db.oneFirst(sql.type(z.object({ transient_ticks: z.number() }))`
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
