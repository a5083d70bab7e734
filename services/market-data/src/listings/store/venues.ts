import { named, sql, table, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { KnownList } from '../rules/listing.ts'

const milliseconds = z.string().transform((text) => Date.parse(text))
const lists = table('venue', {
  count: named('list_count', z.number()),
  seq: named('list_seq', z.number()),
  venueTime: named('list_venue_time', milliseconds.nullable()),
  listedAt: milliseconds.nullable(),
})

/** Returns a venue's last accepted list. Locks its row until the end of the transaction, so that two lists never mix. */
export async function lockVenue(
  tx: Tx,
  exchange: string,
  source: 'live' | 'replay',
): Promise<KnownList & { readonly seq: number }> {
  await tx.query(sql.unsafe`
    INSERT INTO venue (exchange, source) VALUES (${exchange}, ${source})
    ON CONFLICT (exchange) DO UPDATE SET source = excluded.source`)
  return tx.one(sql.type(lists.row)`SELECT ${lists.list} FROM venue WHERE exchange = ${exchange} FOR UPDATE`)
}

/** Returns whether a market list of the venue has been stored. */
export async function isListed(db: Db, exchange: string): Promise<boolean> {
  return db.exists(sql.unsafe`SELECT 1 FROM venue WHERE exchange = ${exchange} AND list_seq > 0`)
}

const listTimeRow = z.object({ exchange: z.string(), listed_at: z.string() })

/** Returns when the last market list of each exchange was accepted; exchanges without one are absent. */
export async function listTimes(db: Db): Promise<ReadonlyMap<string, string>> {
  const rows = await db.any(sql.type(listTimeRow)`
    SELECT exchange, listed_at FROM venue WHERE listed_at IS NOT NULL ORDER BY exchange`)
  return new Map(rows.map(({ exchange, listed_at }) => [exchange, listed_at]))
}

/** Stores the facts of an accepted list. */
export async function noteList(
  tx: Tx,
  exchange: string,
  list: { readonly count: number; readonly venueTime: number | null; readonly now: Date },
): Promise<void> {
  const venueTime = list.venueTime === null ? null : new Date(list.venueTime).toISOString()
  await tx.query(sql.unsafe`
    UPDATE venue SET list_count = ${list.count}, list_seq = list_seq + 1, listed_at = ${list.now.toISOString()},
      list_venue_time = ${venueTime}
    WHERE exchange = ${exchange}`)
}

/** Stores the venue's time of a rejected list, so that one wrong clock does not cause the rejection of all later lists. */
export async function noteVenueTime(tx: Tx, exchange: string, venueTime: number | null): Promise<void> {
  const time = venueTime === null ? null : new Date(venueTime).toISOString()
  await tx.query(sql.unsafe`UPDATE venue SET list_venue_time = ${time} WHERE exchange = ${exchange}`)
}

const flagsRow = z.object({ flags_at: z.string().transform((text) => new Date(text)) })

/** Readings further apart than this had a time between them in which nobody asked. */
const UNTRIED = '2 hours'

/**
 * Notes a reading of a venue's official flags. Returns the time from which their age counts: that of the last whole reading, or
 * of the first one if none was whole, and later by the time in which nobody asked.
 */
export async function noteFlags(tx: Tx, exchange: string, whole: boolean, now: Date): Promise<Date> {
  const at = now.toISOString()
  return tx.oneFirst(sql.type(flagsRow)`
    UPDATE venue SET flags_tried_at = ${at}, flags_at = CASE
      WHEN ${whole} OR flags_at IS NULL THEN ${at}::timestamptz
      WHEN ${at}::timestamptz - flags_tried_at > ${UNTRIED}::interval THEN flags_at + (${at}::timestamptz - flags_tried_at)
      ELSE flags_at END
    WHERE exchange = ${exchange} RETURNING flags_at`)
}

/** Adds failures of calls to venues, by hour and class. */
export async function addVenueErrors(
  db: Db,
  hour: Date,
  counts: readonly { readonly exchange: string; readonly kind: string; readonly count: number }[],
): Promise<void> {
  const rows = counts.map(({ exchange, kind, count }) => [exchange, hour.toISOString(), kind, count])
  await db.query(sql.unsafe`
    INSERT INTO venue_error (exchange, hour, class, count)
    SELECT * FROM ${sql.unnest(rows, ['text', 'timestamptz', 'text', 'int4'])}
    ON CONFLICT (exchange, hour, class) DO UPDATE SET count = venue_error.count + excluded.count`)
}

const coverageRow = z.object({
  exchange: z.string(),
  source: z.enum(['live', 'replay']),
  listed_at: z.string().nullable(),
  observed_at: z.string().nullable(),
  errors: z.array(z.object({ class: z.string(), count: z.number() })),
  announcements: z
    .object({
      read_at: z.string(),
      known_at: z.string().nullable(),
      wording: z.enum(['known', 'nothing_read', 'no_known_title']),
    })
    .nullable(),
})

/** Returns each venue with its failures of the current and the previous hour. */
export async function venueCoverage(db: Db, now: Date): Promise<readonly z.output<typeof coverageRow>[]> {
  const since = new Date(now.getTime() - 3_600_000).toISOString()
  return db.any(sql.type(coverageRow)`
    SELECT exchange, source, listed_at,
      (SELECT max(minute) FROM observation WHERE observation.exchange = venue.exchange) AS observed_at,
      coalesce((SELECT json_agg(json_build_object('class', class, 'count', total) ORDER BY class)
        FROM (SELECT class, sum(count)::int AS total FROM venue_error
          WHERE venue_error.exchange = venue.exchange AND hour >= ${since}::timestamptz - interval '1 hour' GROUP BY class) AS sums),
        '[]') AS errors,
      CASE WHEN announcements_read_at IS NOT NULL THEN json_build_object(
        'read_at', to_char(announcements_read_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'known_at', (SELECT to_char(max(first_seen_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          FROM venue_announcement AS told WHERE told.exchange = venue.exchange AND meaning IS NOT NULL),
        'wording', coalesce(announcements_wording, 'known')) END AS announcements
    FROM venue ORDER BY exchange`)
}

const sourceRow = z.object({ source: z.enum(['live', 'replay']) })

/** Returns whether the stored prices come from real exchanges, from replays, or from both. */
export async function storedSource(db: Db): Promise<'live' | 'replay' | 'mixed'> {
  const sources = await db.anyFirst(sql.type(sourceRow)`SELECT DISTINCT source FROM venue`)
  return sources.length > 1 ? 'mixed' : (sources[0] ?? 'live')
}

const scannedRow = z.object({ exchange: z.string(), listed: z.number(), scanned: z.number() })

/** Returns the pairs of the last list and the scanned pairs of venues, or of all. */
export async function scannedPairs(
  db: Db,
  exchanges: readonly string[] | null,
): Promise<readonly z.output<typeof scannedRow>[]> {
  const asked = exchanges === null ? null : sql.array([...exchanges], 'text')
  return db.any(sql.type(scannedRow)`
    SELECT exchange, list_count AS listed, (SELECT count(*)::int FROM token WHERE token.exchange = venue.exchange
      AND EXISTS (SELECT FROM target WHERE target.token_id = token.token_id AND status = 'active')) AS scanned
    FROM venue WHERE ${asked}::text[] IS NULL OR exchange = ANY(${asked}::text[]) ORDER BY exchange`)
}
