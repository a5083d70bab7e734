import { sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const rebuilds = table('fact_rebuild', {
  id: z.number(),
  method: z.string(),
  agents_after: z.number().nullable(),
  mandates_after: z.string().nullable(),
  agents_listed: z.boolean(),
  mandates_listed: z.boolean(),
  ended_at: z.string().nullable(),
})
/** A run in which all facts are asked for again. */
export type Rebuild = RowOf<typeof rebuilds>

/** Returns the newest rebuild; null before the first. */
export function newestRebuild(db: Db): Promise<Rebuild | null> {
  return db.maybeOne(sql.type(rebuilds.row)`
    SELECT ${rebuilds.list} FROM fact_rebuild ORDER BY id DESC LIMIT 1`)
}

/** Returns true if all facts have been asked for at least once and no rebuild is under way. */
export async function factsAreWhole(db: Db): Promise<boolean> {
  const rebuild = await newestRebuild(db)
  return rebuild !== null && rebuild.ended_at !== null
}

const idRow = z.object({ id: z.number() })

/** Begins a rebuild in place of one that is under way, and marks everything that is stored. */
export async function beginRebuild(tx: Tx, method: string, now: Date): Promise<void> {
  await tx.query(sql.unsafe`UPDATE fact_rebuild SET ended_at = ${now.toISOString()} WHERE ended_at IS NULL`)
  const id = await tx.oneFirst(sql.type(idRow)`
    INSERT INTO fact_rebuild (method, began_at) VALUES (${method}, ${now.toISOString()}) RETURNING id`)
  // What its service no longer knows is found by asking for it too.
  await tx.query(sql.unsafe`
    INSERT INTO fact_dirty AS d (kind, id, agent_id, from_day, since, rebuild)
    SELECT 'mandate', public_id, agent_id, NULL::date, ${now.toISOString()}::timestamptz, ${id}::int FROM fact_mandate
    UNION ALL SELECT 'agent', agent_id::text, agent_id, NULL, ${now.toISOString()}, ${id} FROM fact_agent
    ORDER BY 1, 2
    ON CONFLICT (kind, id) DO UPDATE SET from_day = NULL, version = nextval('fact_version'), rebuild = excluded.rebuild,
      tries = 0, retry_at = NULL`)
}

/** Notes how far the listing of a rebuild is. */
export async function noteListed(
  tx: Tx,
  id: number,
  kind: 'agents' | 'mandates',
  { after, listed }: { readonly after: number | string | null; readonly listed: boolean },
): Promise<void> {
  await (kind === 'agents'
    ? tx.query(sql.unsafe`
        UPDATE fact_rebuild SET agents_after = coalesce(${after as number | null}::bigint, agents_after), agents_listed = ${listed} WHERE id = ${id}`)
    : tx.query(sql.unsafe`
        UPDATE fact_rebuild SET mandates_after = coalesce(${after as string | null}::text, mandates_after), mandates_listed = ${listed} WHERE id = ${id}`))
}

/** Ends a rebuild whose marks have all been tried. Returns false if some are left. */
export async function endRebuild(tx: Tx, id: number, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE fact_rebuild SET ended_at = ${now.toISOString()}
    WHERE id = ${id} AND ended_at IS NULL AND agents_listed AND mandates_listed
      AND NOT EXISTS (SELECT FROM fact_dirty WHERE rebuild = ${id} AND tries = 0)`)
  return rowCount > 0
}

/** Deletes all facts, for a rebuild from nothing. Nothing of the Hall is computed until it has ended. */
export async function dropFacts(tx: Tx): Promise<void> {
  for (const name of ['fact_day', 'fact_mandate', 'fact_agent', 'fact_owner', 'fact_dirty'])
    await tx.query(sql.unsafe`DELETE FROM ${sql.identifier([name])}`)
}
