import { targetHour } from '@svc/contracts/market-data/research'
import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import { mostlyWhole } from '#markets/store/observations.ts'
import { HOUR_MS, type TargetHours } from '../rules/target-hours.ts'

const dueRow = z.object({ exchange: z.string(), instance_id: z.number(), symbol: z.string(), quote: z.string() })
export type HoursDue = z.output<typeof dueRow>

/** Returns watched pairs of these venues whose hours were not read since `until`, those never read first. */
export async function hoursDue(
  db: Db,
  exchanges: readonly string[],
  until: Date,
  without: readonly number[],
  max: number,
): Promise<readonly HoursDue[]> {
  return db.any(sql.type(dueRow)`
    SELECT exchange, instance_id, symbol, quote
    FROM token JOIN token_instance AS instance USING (instance_id) LEFT JOIN target_hours AS hours USING (instance_id)
    WHERE exchange = ANY(${sql.array([...exchanges], 'text')}) AND trading = 'trading'
      AND EXISTS (SELECT FROM target WHERE target.token_id = token.token_id AND status = 'active')
      AND (read_at IS NULL OR read_at < ${until.toISOString()})
      AND instance_id <> ALL (${sql.array([...without], 'int4')})
    ORDER BY read_at NULLS FIRST, instance_id LIMIT ${max}`)
}

/** Hours of a pair, with the spread and the depth that the board observed, which `putTargetHours` adds. */
export interface ReadHours extends TargetHours {
  readonly instanceId: number
}

/**
 * Stores the hours of pairs of one venue. Medians of spread and depth come from the observations of the board, which are
 * kept for 26 hours; the spread is sampled every fifth minute, the depth whenever a book was read.
 */
export async function putTargetHours(db: Db, exchange: string, pairs: readonly ReadHours[], now: Date): Promise<void> {
  if (pairs.length === 0) return
  const rows = pairs.flatMap((pair) =>
    pair.close.map((close, place) => [
      pair.instanceId,
      new Date(pair.firstHour + place * HOUR_MS).toISOString(),
      pair.high[place] ?? null,
      pair.low[place] ?? null,
      close,
      pair.volumeUsd[place] ?? null,
    ]),
  )
  await db.query(sql.unsafe`
    WITH hour AS MATERIALIZED (
      SELECT * FROM ${sql.unnest(rows, ['int4', 'timestamptz', 'float8', 'float8', 'float8', 'float8'])}
        AS read (id, start, high, low, close, volume_usd)
    ), observed AS (
      SELECT id, date_trunc('hour', minute) AS start,
        percentile_disc(0.5) WITHIN GROUP (ORDER BY spread) FILTER (WHERE extract(minute FROM minute)::int % 5 = 0) AS spread,
        percentile_disc(0.5) WITHIN GROUP (ORDER BY depth) AS depth,
        percentile_disc(0.5) WITHIN GROUP (ORDER BY depth) FILTER (WHERE NOT coalesce(truncated, false)) AS complete,
        ${mostlyWhole(sql.fragment`count(depth) FILTER (WHERE NOT coalesce(truncated, false))`, sql.fragment`count(depth)`)} AS whole
      FROM observation, unnest(instance_ids, spread_bps, depth_2pct_usd, depth_truncated) AS pair (id, spread, depth, truncated)
      WHERE exchange = ${exchange} AND minute > ${now.toISOString()}::timestamptz - interval '26 hours'
        AND id = ANY(${sql.array(
          pairs.map(({ instanceId }) => instanceId),
          'int4',
        )})
      GROUP BY id, start
    )
    INSERT INTO target_hours (instance_id, read_at, first_hour, high, low, close, volume_usd, spread_bps, depth_2pct_usd, depth_truncated)
    SELECT id, ${now.toISOString()}::timestamptz, min(start), array_agg(high ORDER BY start), array_agg(low ORDER BY start),
      array_agg(close ORDER BY start), array_agg(volume_usd ORDER BY start), array_agg(spread ORDER BY start),
      array_agg(CASE WHEN whole THEN complete ELSE depth END ORDER BY start), array_agg(NOT whole ORDER BY start)
    FROM hour LEFT JOIN observed USING (id, start) GROUP BY id
    ON CONFLICT (instance_id) DO UPDATE SET read_at = excluded.read_at, first_hour = excluded.first_hour, high = excluded.high,
      low = excluded.low, close = excluded.close, volume_usd = excluded.volume_usd, spread_bps = excluded.spread_bps,
      depth_2pct_usd = excluded.depth_2pct_usd, depth_truncated = excluded.depth_truncated`)
}

const hoursRow = z.object({ read_at: z.string(), hours: z.array(targetHour) })
export type StoredHours = z.output<typeof hoursRow>

/** Returns the stored hours of an instance, oldest first; null if they have not been read. */
export async function readTargetHours(db: Db, instanceId: number): Promise<StoredHours | null> {
  return db.maybeOne(sql.type(hoursRow)`
    SELECT read_at, (
      SELECT json_agg(json_build_object(
        'start', to_char((first_hour + (place - 1) * interval '1 hour') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'high', h, 'low', l, 'close', c, 'volume_usd', v, 'spread_bps', s, 'depth_2pct_usd', d,
        'depth_is_lower_bound', coalesce(t, false)) ORDER BY place)
      FROM unnest(high, low, close, volume_usd, spread_bps, depth_2pct_usd, depth_truncated)
        WITH ORDINALITY AS one (h, l, c, v, s, d, t, place)) AS hours
    FROM target_hours WHERE instance_id = ${instanceId}`)
}

/** Deletes hours that are older than a report's longest look back and that were not read again, since nobody watches the pair. */
export async function forgetTargetHours(db: Db, before: Date, max: number): Promise<number> {
  const { rowCount } = await db.query(sql.unsafe`
    DELETE FROM target_hours WHERE instance_id IN (
      SELECT instance_id FROM target_hours WHERE read_at < ${before.toISOString()} ORDER BY read_at LIMIT ${max})`)
  return rowCount
}
