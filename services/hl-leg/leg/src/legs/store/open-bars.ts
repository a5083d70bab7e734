import { instant, sql, table, type Db, type RowOf } from '@svc/postgres'
import { z } from 'zod'

export const barCause = z.enum(['stop_line', 'agent_silent'])
/** Why a leg opens nothing: its worth was read at or below the stop line, or its agent is silent. */
export type BarCause = z.output<typeof barCause>

const bars = table('open_bar', {
  publicId: z.string(),
  cause: barCause,
  since: instant,
  endedAt: instant.nullable(),
})
/** The newest bar of a cause; `endedAt` is null while it stands. */
export type OpenBar = RowOf<typeof bars>

/** Bars opens of a leg from now on. A bar that stands keeps its time. */
export const barOpens = (db: Db, publicId: string, why: BarCause, now: Date): Promise<void> =>
  barOpensOf(db, [{ publicId, cause: why }], now)

/** Bars opens of legs from now on. A bar that stands keeps its time. */
export async function barOpensOf(
  db: Db,
  given: readonly Pick<OpenBar, 'publicId' | 'cause'>[],
  now: Date,
): Promise<void> {
  const rows = given.map(({ publicId, cause: why }) => [publicId, why, now.toISOString()])
  // Ordered, so that two writers lock the rows in the same order.
  await db.query(sql.unsafe`
    INSERT INTO open_bar (public_id, cause, since)
    SELECT public_id, cause, since FROM ${sql.unnest(rows, ['text', 'text', 'timestamptz'])} AS one (public_id, cause, since)
    ORDER BY public_id, cause
    ON CONFLICT (public_id, cause) DO UPDATE SET since = excluded.since, ended_at = NULL
    WHERE open_bar.ended_at IS NOT NULL`)
}

/** Ends a bar; a bar of another cause stays. */
export async function allowOpens(db: Db, publicId: string, why: BarCause, now: Date): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE open_bar SET ended_at = ${now.toISOString()}
    WHERE public_id = ${publicId} AND cause = ${why} AND ended_at IS NULL`)
}

const causeRow = z.object({ cause: barCause })

/** Returns why a leg opens nothing, the stop line first; null if opens are not barred. */
export async function barOf(db: Db, publicId: string): Promise<BarCause | null> {
  return db.maybeOneFirst(sql.prepared('bar_of', causeRow)`
    SELECT cause FROM open_bar WHERE public_id = ${publicId} AND ended_at IS NULL ORDER BY cause DESC LIMIT 1`)
}

/** Returns the newest bar of each cause of some legs. */
export function barsOf(db: Db, publicIds: readonly string[]): Promise<readonly OpenBar[]> {
  return db.any(sql.type(bars.row)`
    SELECT ${bars.list} FROM open_bar WHERE public_id = ANY(${sql.array([...publicIds], 'text')})`)
}
