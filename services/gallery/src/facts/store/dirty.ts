import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** What to ask for again. */
export interface Mark {
  readonly kind: 'agent' | 'mandate'
  /** The agent's id as text, or the public id of the mandate. */
  readonly id: string
  readonly agentId: number
  /** First UTC day that may differ; null for any day. */
  readonly fromDay: string | null
}

/**
 * Marks facts as to be asked for again. A mark that exists keeps its age, widens to the earlier day and gets another
 * version, so that an answer that was asked for before does not end it.
 */
export async function markDirty(
  tx: Db,
  marks: readonly Mark[],
  { now, rebuild = null }: { readonly now: Date; readonly rebuild?: number | null },
): Promise<void> {
  if (marks.length === 0) return
  const rows = marks.map(({ kind, id, agentId, fromDay }) => [kind, id, agentId, fromDay])
  // In the order of their keys, so that two transactions that mark the same facts do not wait for each other in a circle.
  await tx.query(sql.unsafe`
    INSERT INTO fact_dirty AS d (kind, id, agent_id, from_day, since, rebuild)
    SELECT kind, id, min(agent_id), CASE WHEN bool_or(from_day IS NULL) THEN NULL ELSE min(from_day) END,
      ${now.toISOString()}::timestamptz, ${rebuild}::int
    FROM ${sql.unnest(rows, ['text', 'text', 'int8', 'date'])} AS marked (kind, id, agent_id, from_day)
    GROUP BY kind, id ORDER BY kind, id
    ON CONFLICT (kind, id) DO UPDATE SET
      from_day = CASE WHEN d.from_day IS NULL OR excluded.from_day IS NULL THEN NULL ELSE least(d.from_day, excluded.from_day) END,
      version = nextval('fact_version'), rebuild = coalesce(excluded.rebuild, d.rebuild),
      tries = CASE WHEN excluded.rebuild IS NULL THEN d.tries ELSE 0 END, retry_at = NULL`)
}

const dirtyRow = z.object({ id: z.string(), from_day: z.string().nullable(), version: z.number() })
/** Facts to ask for, with the version of their mark. */
export type Dirty = z.output<typeof dirtyRow>

/** Returns the oldest marks of a kind that may be tried now. */
export function oldestDirty(db: Db, kind: Mark['kind'], now: Date, max: number): Promise<readonly Dirty[]> {
  return db.any(sql.type(dirtyRow)`
    SELECT id, from_day, version FROM fact_dirty
    WHERE kind = ${kind} AND (retry_at IS NULL OR retry_at <= ${now.toISOString()})
    ORDER BY since, id LIMIT ${max}`)
}

/** Ends marks that have not changed since they were read. */
export async function endMarks(tx: Tx, kind: Mark['kind'], read: readonly Dirty[]): Promise<void> {
  const rows = read.map(({ id, version }) => [id, version])
  await tx.query(sql.unsafe`
    DELETE FROM fact_dirty d USING ${sql.unnest(rows, ['text', 'int8'])} AS read (id, version)
    WHERE d.kind = ${kind} AND d.id = read.id AND d.version = read.version`)
}

/** Counts a failed attempt and lets the mark rest: a minute, then twice as long each time, at most an hour. */
export async function postponeMark(db: Db, kind: Mark['kind'], id: string, now: Date): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE fact_dirty SET tries = tries + 1,
      retry_at = ${now.toISOString()}::timestamptz + make_interval(mins => least(60, power(2, least(tries, 6))::int))
    WHERE kind = ${kind} AND id = ${id}`)
}
