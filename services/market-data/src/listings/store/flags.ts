import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const meaning = z.enum(['caution', 'warning', 'margin_delisting', 'delisting_announced'])
const flagRow = z.object({
  instance_id: z.number(),
  flag: z.string(),
  meaning,
  effective_at: z.string().nullable(),
  at: z.string(),
  source: z.string().nullable(),
  published_at: z.string().nullable(),
})
export type FlagRow = z.output<typeof flagRow>

/** Returns the flags in force, of one venue or of all: flags whose newest event raised them. */
export async function standingFlags(db: Db, exchange: string | null): Promise<readonly FlagRow[]> {
  return db.any(sql.type(flagRow)`
    SELECT instance_id, flag, meaning, effective_at, at, source, published_at FROM (
      SELECT DISTINCT ON (event.instance_id, flag) event.*
      FROM venue_flag_event AS event JOIN token USING (instance_id)
      WHERE ${exchange}::text IS NULL OR exchange = ${exchange}
      ORDER BY event.instance_id, flag, id DESC) AS newest
    WHERE raised`)
}

export interface FlagEvent {
  readonly instanceId: number
  readonly flag: string
  readonly meaning: z.output<typeof meaning>
  readonly raised: boolean
  readonly effectiveAt: Date | null
  readonly source: string | null
  readonly publishedAt: Date | null
}

export async function insertFlagEvents(tx: Tx, events: readonly FlagEvent[], now: Date): Promise<void> {
  if (events.length === 0) return
  const values = events.map((one) => [
    one.instanceId,
    one.flag,
    one.meaning,
    one.raised,
    one.effectiveAt?.toISOString() ?? null,
    now.toISOString(),
    one.source,
    one.publishedAt?.toISOString() ?? null,
  ])
  const types = ['int4', 'text', 'text', 'bool', 'timestamptz', 'timestamptz', 'text', 'timestamptz'] as const
  await tx.query(sql.unsafe`
    INSERT INTO venue_flag_event (instance_id, flag, meaning, raised, effective_at, at, source, published_at)
    SELECT * FROM ${sql.unnest(values, [...types])}`)
}
