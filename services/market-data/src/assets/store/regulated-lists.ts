import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import type { RegulatedList } from '../rules/regulated-venues.ts'

const row = z.object({
  venue: z.string(),
  read_at: z.string(),
  source: z.enum(['live', 'replay']),
  assets: z.array(z.string()),
})

/** A stored list of a regulated venue. */
export interface StoredList extends RegulatedList {
  readonly source: 'live' | 'replay'
}

/** Returns the newest list of each venue: one step into the primary key per venue, however many lists are stored. */
export async function newestRegulatedLists(db: Db, venues: readonly string[]): Promise<readonly StoredList[]> {
  if (venues.length === 0) return []
  const rows = await db.any(sql.type(row)`
    SELECT list.venue, read_at, source, assets
    FROM unnest(${sql.array([...venues], 'text')}) AS named (venue), LATERAL (
      SELECT * FROM regulated_list WHERE regulated_list.venue = named.venue ORDER BY read_at DESC LIMIT 1) AS list
    ORDER BY list.venue`)
  return rows.map(({ venue, read_at, source, assets }) => ({
    venue,
    source,
    readAt: Date.parse(read_at),
    bases: new Set(assets),
  }))
}

/**
 * Stores a list. Returns false if another process stored one of the venue within twelve hours, because two lists of a day say
 * the same.
 */
export async function insertRegulatedList(
  db: Db,
  list: {
    readonly venue: string
    readonly readAt: Date
    readonly source: 'live' | 'replay'
    readonly assets: readonly string[]
  },
): Promise<boolean> {
  const at = list.readAt.toISOString()
  const { rowCount } = await db.query(sql.unsafe`
    INSERT INTO regulated_list (venue, read_at, source, assets)
    SELECT ${list.venue}, ${at}, ${list.source}, ${sql.array([...list.assets], 'text')}
    WHERE NOT EXISTS (SELECT FROM regulated_list
      WHERE venue = ${list.venue} AND source = ${list.source} AND read_at > ${at}::timestamptz - interval '12 hours')
    ON CONFLICT (venue, read_at) DO NOTHING`)
  return rowCount === 1
}
