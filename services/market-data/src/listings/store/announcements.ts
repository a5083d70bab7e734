import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { AnnouncedByVenue } from '#venues/rules/venue.ts'
import type { StoredNotice } from '../rules/announcement-flags.ts'

/** Stores announcements that are not known yet. Returns how many are new. */
export async function insertAnnouncements(
  tx: Tx,
  exchange: string,
  announcements: readonly AnnouncedByVenue[],
  now: Date,
): Promise<number> {
  if (announcements.length === 0) return 0
  const timeOf = (ms: number | null | undefined) => (ms == null ? null : new Date(ms).toISOString())
  const rows = announcements.map(({ id, title, url, source, publishedAt, notice }) => ({
    announcement_id: id,
    title,
    url,
    source,
    published_at: timeOf(publishedAt),
    meaning: notice?.meaning ?? null,
    bases: notice?.bases ?? [],
    symbols: notice?.symbols ?? [],
    effective_at: timeOf(notice?.effectiveAt),
  }))
  // JSON, because arrays of different lengths in a row do not fit an unnest of columns.
  const { rowCount } = await tx.query(sql.unsafe`
    INSERT INTO venue_announcement
      (exchange, announcement_id, title, url, source, published_at, first_seen_at, meaning, bases, symbols, effective_at)
    SELECT DISTINCT ON (announcement_id) ${exchange}, announcement_id, title, url, source, published_at,
      ${now.toISOString()}::timestamptz, meaning, bases, symbols, effective_at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS told (announcement_id text, title text, url text,
      source text, published_at timestamptz, meaning text, bases text[], symbols text[], effective_at timestamptz)
    ON CONFLICT DO NOTHING`)
  return rowCount
}

const noticeRow = z.object({
  meaning: z.enum(['warning', 'delisting_announced']),
  bases: z.array(z.string()),
  symbols: z.array(z.string()),
  source: z.string(),
  published_at: z.string().nullable(),
  first_seen_at: z.string(),
  effective_at: z.string().nullable(),
})
const msOf = (time: string | null) => (time === null ? null : Date.parse(time))

/** Returns a venue's announcements that name assets and were first seen since a time. */
export async function noticesSince(db: Db, exchange: string, since: Date): Promise<readonly StoredNotice[]> {
  const rows = await db.any(sql.type(noticeRow)`
    SELECT meaning, bases, symbols, source, published_at, first_seen_at, effective_at FROM venue_announcement
    WHERE exchange = ${exchange} AND meaning IS NOT NULL AND first_seen_at > ${since.toISOString()}`)
  return rows.map((row) => ({
    meaning: row.meaning,
    bases: row.bases,
    symbols: row.symbols,
    source: row.source,
    publishedAt: msOf(row.published_at),
    firstSeenAt: Date.parse(row.first_seen_at),
    effectiveAt: msOf(row.effective_at),
  }))
}
