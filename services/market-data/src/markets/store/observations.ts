import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

/** One pair of a venue in one minute. Null is unknown. */
export interface Observed {
  readonly instanceId: number
  readonly price: number | null
  readonly spreadBps: number | null
  readonly volume24hUsd: number | null
  readonly change24hPct: number | null
  readonly depth2pctUsd: number | null
  /** Whether the depth is a lower bound. */
  readonly depthTruncated: boolean | null
}

/** Stores the minute of a venue as one row; replaces an earlier observation of the same minute. */
export async function putObservation(
  db: Db,
  exchange: string,
  minute: Date,
  rows: readonly Observed[],
  booksSynthetic: boolean,
): Promise<void> {
  const column = (read: (row: Observed) => number | boolean | null, type: 'int4' | 'float4' | 'float8' | 'bool') =>
    sql.array(rows.map(read), type)
  await db.query(sql.unsafe`
    INSERT INTO observation (exchange, minute, instance_ids, price, spread_bps, volume_24h_usd, change_24h_pct, depth_2pct_usd,
      depth_truncated, books_synthetic)
    VALUES (${exchange}, ${minute.toISOString()}, ${column((row) => row.instanceId, 'int4')},
      ${column((row) => row.price, 'float8')}, ${column((row) => row.spreadBps, 'float4')},
      ${column((row) => row.volume24hUsd, 'float8')}, ${column((row) => row.change24hPct, 'float4')},
      ${column((row) => row.depth2pctUsd, 'float8')},
      ${column((row) => row.depthTruncated, 'bool')}, ${booksSynthetic})
    ON CONFLICT (exchange, minute) DO UPDATE SET instance_ids = excluded.instance_ids, price = excluded.price,
      spread_bps = excluded.spread_bps, volume_24h_usd = excluded.volume_24h_usd, change_24h_pct = excluded.change_24h_pct,
      depth_2pct_usd = excluded.depth_2pct_usd, depth_truncated = excluded.depth_truncated,
      books_synthetic = excluded.books_synthetic`)
}

/** Deletes minutes that no window needs: all after 26 hours, and after 3 hours four of five. */
export async function forgetObservations(db: Db, now: Date, max: number): Promise<number> {
  const { rowCount } = await db.query(sql.unsafe`
    DELETE FROM observation WHERE (exchange, minute) IN (
      SELECT exchange, minute FROM observation
      WHERE minute < ${now.toISOString()}::timestamptz - interval '26 hours'
        OR (minute < ${now.toISOString()}::timestamptz - interval '3 hours' AND extract(minute FROM minute)::int % 5 <> 0)
      LIMIT ${max})`)
  return rowCount
}

const column = z.array(z.number().nullable())
const windowRow = z.object({
  instance_ids: z.array(z.number()),
  spread_bps: column,
  spread_n: z.array(z.number()),
  depth: column,
  depth_p5: column,
  depth_n: z.array(z.number()),
  depth_truncated: z.array(z.boolean()),
})
export type WindowColumns = z.output<typeof windowRow>

/**
 * Whether depth over a time is that of the complete books alone: these are at least three quarters. Else it is that of all
 * books, and a lower bound.
 */
export const mostlyWhole = (whole: ReturnType<typeof sql.fragment>, all: ReturnType<typeof sql.fragment>) =>
  sql.fragment`4 * ${whole} >= 3 * ${all}`

/**
 * Returns the medians of the last two hours of all instances of a venue, as columns of equal length, because transferring twenty
 * thousand rows costs more than computing them. Spread is sampled every fifth minute, depth whenever a book was read.
 */
async function windowOf(db: Db, exchange: string, now: Date): Promise<WindowColumns> {
  return db.one(sql.type(windowRow)`
    WITH sample AS (
      SELECT id, CASE WHEN fifth THEN spread END AS spread, depth, coalesce(truncated, false) AS truncated
      FROM observation, LATERAL (SELECT extract(minute FROM minute)::int % 5 = 0 OR minute > ${now.toISOString()}::timestamptz - interval '6 minutes' AS fifth) AS slot,
        unnest(instance_ids, spread_bps, depth_2pct_usd, depth_truncated) AS pair (id, spread, depth, truncated)
      WHERE exchange = ${exchange} AND minute > ${now.toISOString()}::timestamptz - interval '2 hours'
        AND minute <= ${now.toISOString()} AND (fifth OR depth IS NOT NULL)
    ), sums AS (
      SELECT id, percentile_disc(0.5) WITHIN GROUP (ORDER BY spread) AS spread, count(spread)::int AS spread_n,
        percentile_disc(ARRAY[0.5, 0.05]) WITHIN GROUP (ORDER BY depth) AS depths, count(depth)::int AS n,
        percentile_disc(ARRAY[0.5, 0.05]) WITHIN GROUP (ORDER BY depth) FILTER (WHERE NOT truncated) AS complete,
        (count(depth) FILTER (WHERE NOT truncated))::int AS complete_n
      FROM sample GROUP BY id
    ), measured AS (
      SELECT id, spread, spread_n, CASE WHEN whole THEN complete ELSE depths END AS depth,
        CASE WHEN whole THEN complete_n ELSE n END AS depth_n, NOT whole AS truncated
      FROM sums, LATERAL (SELECT ${mostlyWhole(sql.fragment`complete_n`, sql.fragment`n`)} AS whole) AS judged
    )
    SELECT coalesce(json_agg(id ORDER BY id), '[]') AS instance_ids, coalesce(json_agg(spread ORDER BY id), '[]') AS spread_bps,
      coalesce(json_agg(spread_n ORDER BY id), '[]') AS spread_n, coalesce(json_agg(depth[1] ORDER BY id), '[]') AS depth,
      coalesce(json_agg(depth[2] ORDER BY id), '[]') AS depth_p5, coalesce(json_agg(depth_n ORDER BY id), '[]') AS depth_n,
      coalesce(json_agg(truncated ORDER BY id), '[]') AS depth_truncated
    FROM measured`)
}

const exchangeRow = z.object({ exchange: z.string() })

/**
 * Returns the columns of all venues. Each venue is a statement: one statement over a hundred thousand pairs takes longer
 * than a statement may, and sorts more than fits in memory.
 */
export async function windowColumns(db: Db, now: Date): Promise<WindowColumns> {
  const exchanges = await db.anyFirst(sql.type(exchangeRow)`SELECT exchange FROM venue`)
  const all: WindowColumns[] = []
  for (const exchange of exchanges) all.push(await windowOf(db, exchange, now))
  return {
    instance_ids: all.flatMap((one) => one.instance_ids),
    spread_bps: all.flatMap((one) => one.spread_bps),
    spread_n: all.flatMap((one) => one.spread_n),
    depth: all.flatMap((one) => one.depth),
    depth_p5: all.flatMap((one) => one.depth_p5),
    depth_n: all.flatMap((one) => one.depth_n),
    depth_truncated: all.flatMap((one) => one.depth_truncated),
  }
}

const latestRow = z.object({
  minute: z.string(),
  instance_ids: z.array(z.number()),
  price: column,
  volume_24h_usd: column,
  change_24h_pct: column,
})

/** Returns the newest minute of each venue within the last 15 minutes. */
export async function latestObservations(db: Db, now: Date): Promise<readonly z.output<typeof latestRow>[]> {
  return db.any(sql.type(latestRow)`
    SELECT DISTINCT ON (exchange) minute, array_to_json(instance_ids) AS instance_ids, array_to_json(price) AS price,
      array_to_json(volume_24h_usd) AS volume_24h_usd, array_to_json(change_24h_pct) AS change_24h_pct
    FROM observation
    WHERE minute > ${now.toISOString()}::timestamptz - interval '15 minutes' AND minute <= ${now.toISOString()}
    ORDER BY exchange, minute DESC`)
}
