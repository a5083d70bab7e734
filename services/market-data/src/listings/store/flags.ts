import { instant, sql, table, typed, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const meaning = z.enum(['caution', 'warning', 'margin_delisting', 'delisting_announced'])
const flags = table('venue_flag_event', {
  instance_id: z.number(),
  flag: z.string(),
  meaning,
  effective_at: z.string().nullable(),
  at: z.string(),
  source: z.string().nullable(),
  published_at: z.string().nullable(),
})
export type FlagRow = RowOf<typeof flags>

/** Returns the flags in force, of one venue or of all: flags whose newest event raised them. */
export async function standingFlags(db: Db, exchange: string | null): Promise<readonly FlagRow[]> {
  return db.any(sql.type(flags.row)`
    SELECT ${flags.list} FROM (
      SELECT DISTINCT ON (event.instance_id, flag) event.*
      FROM venue_flag_event AS event JOIN token USING (instance_id)
      WHERE ${exchange}::text IS NULL OR exchange = ${exchange}
      ORDER BY event.instance_id, flag, id DESC) AS newest
    WHERE raised`)
}

const events = table('venue_flag_event', {
  instanceId: typed('int4', z.number()),
  flag: z.string(),
  meaning,
  raised: typed('bool', z.boolean()),
  effectiveAt: typed('timestamptz', instant.nullable()),
  at: typed('timestamptz', instant),
  source: z.string().nullable(),
  publishedAt: typed('timestamptz', instant.nullable()),
})
export type FlagEvent = Omit<RowOf<typeof events>, 'at'>

export async function insertFlagEvents(tx: Tx, changes: readonly FlagEvent[], now: Date): Promise<void> {
  if (changes.length === 0) return
  await tx.query(sql.unsafe`${events.insertAll(changes.map((one) => ({ ...one, at: now })))}`)
}
