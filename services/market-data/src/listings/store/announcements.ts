import { sql, table, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { AnnouncedByVenue } from '#venues/rules/venue.ts'
import type { StoredNotice } from '../rules/announcement-flags.ts'
import type { Wording } from '../rules/announcement-wording.ts'

const titleRow = z.object({ title: z.string(), meaning: z.string().nullable() })

/** Stores announcements that are not known yet. Returns the titles of the new ones, and what they mean. */
export async function insertAnnouncements(
  tx: Tx,
  exchange: string,
  announcements: readonly AnnouncedByVenue[],
  now: Date,
): Promise<readonly z.output<typeof titleRow>[]> {
  if (announcements.length === 0) return []
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
  return tx.any(sql.type(titleRow)`
    INSERT INTO venue_announcement
      (exchange, announcement_id, title, url, source, published_at, first_seen_at, meaning, bases, symbols, effective_at)
    SELECT DISTINCT ON (announcement_id) ${exchange}, announcement_id, title, url, source, published_at,
      ${now.toISOString()}::timestamptz, meaning, bases, symbols, effective_at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS told (announcement_id text, title text, url text,
      source text, published_at timestamptz, meaning text, bases text[], symbols text[], effective_at timestamptz)
    ON CONFLICT DO NOTHING RETURNING title, meaning`)
}

const readingRow = z.object({
  held_at: z.string(),
  wording: z.enum(['known', 'nothing_read', 'no_known_title']),
  known_at: z.string().nullable(),
})

/** Notes that a page was read and whether it held an announcement. Returns what is known of its wording. */
export async function noteReading(
  tx: Tx,
  exchange: string,
  held: boolean,
  now: Date,
): Promise<{ readonly heldAt: number; readonly knownAt: number | null; readonly wording: Wording }> {
  const at = now.toISOString()
  const row = await tx.one(sql.type(readingRow)`
    UPDATE venue SET announcements_read_at = ${at},
      announcements_held_at = CASE WHEN ${held} THEN ${at}::timestamptz ELSE coalesce(announcements_held_at, ${at}::timestamptz) END
    WHERE exchange = ${exchange}
    RETURNING announcements_held_at AS held_at, coalesce(announcements_wording, 'known') AS wording,
      (SELECT max(first_seen_at) FROM venue_announcement AS told
        WHERE told.exchange = venue.exchange AND meaning IS NOT NULL) AS known_at`)
  return { heldAt: Date.parse(row.held_at), knownAt: msOf(row.known_at), wording: row.wording }
}

export async function putWording(tx: Tx, exchange: string, wording: Wording): Promise<void> {
  await tx.query(sql.unsafe`UPDATE venue SET announcements_wording = ${wording} WHERE exchange = ${exchange}`)
}

const ms = z.string().transform((time) => Date.parse(time))
const notices = table('venue_announcement', {
  meaning: z.enum(['warning', 'delisting_announced']),
  bases: z.array(z.string()),
  symbols: z.array(z.string()),
  source: z.string(),
  publishedAt: ms.nullable(),
  firstSeenAt: ms,
  effectiveAt: ms.nullable(),
})
const msOf = (time: string | null) => (time === null ? null : Date.parse(time))

/** Returns a venue's announcements that name assets and were first seen since a time. */
export function noticesSince(db: Db, exchange: string, since: Date): Promise<readonly StoredNotice[]> {
  return db.any(sql.type(notices.row)`
    SELECT ${notices.list} FROM venue_announcement
    WHERE exchange = ${exchange} AND meaning IS NOT NULL AND first_seen_at > ${since.toISOString()}`)
}
