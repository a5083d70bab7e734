import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import { SCAN_FLAGS, SCAN_UNUSABLE, type ScanRow } from '../rules/scan.ts'

/** Columns of a scan in the order of their storage. */
const COLUMNS = [
  ['instance_id', 'int4'],
  ['minute', 'timestamptz'],
  ['bid', 'float8'],
  ['ask', 'float8'],
  ['last', 'float8'],
  ['spread_bps', 'float4'],
  ['depth_bid_05_usd', 'float4'],
  ['depth_ask_05_usd', 'float4'],
  ['depth_bid_1_usd', 'float4'],
  ['depth_ask_1_usd', 'float4'],
  ['depth_bid_2_usd', 'float4'],
  ['depth_ask_2_usd', 'float4'],
  ['cost_buy_1k_bps', 'float4'],
  ['cost_sell_1k_bps', 'float4'],
  ['cost_buy_10k_bps', 'float4'],
  ['cost_sell_10k_bps', 'float4'],
  ['imbalance', 'float4'],
  ['volume_usd', 'float4'],
  ['trades', 'int4'],
  ['book_age_ms', 'int4'],
  ['latency_ms', 'int4'],
  ['skew_ms', 'int4'],
  ['flags', 'int2'],
  ['error', 'text'],
  ['depth_bid_01_usd', 'float4'],
  ['depth_ask_01_usd', 'float4'],
] as const satisfies readonly (readonly [keyof ScanRow, string])[]

const names = sql.join(
  COLUMNS.map(([name]) => sql.identifier([name])),
  sql.fragment`, `,
)
/**
 * Stores scans in one statement. An existing scan is not changed. A scan of two hours that are already packed is dropped,
 * because it is too late.
 */
export async function insertScans(db: Db, rows: readonly ScanRow[]): Promise<void> {
  const values = rows.map((row) => COLUMNS.map(([name]) => row[name]))
  await db.query(sql.unsafe`
    INSERT INTO scan_minute (${names})
    SELECT * FROM ${sql.unnest(
      values,
      COLUMNS.map(([, type]) => type),
    )} AS scan (${names})
    WHERE minute >= (SELECT coalesce(bucketed_until, '-infinity') FROM scan_bucketing)
    ON CONFLICT DO NOTHING`)
}

/** Creates the missing partitions of a UTC day. */
export async function makePartitions(db: Db, day: Date): Promise<void> {
  await db.query(sql.unsafe`SELECT make_scan_partitions(${day.toISOString().slice(0, 10)}::date)`)
}

const droppedRow = z.object({ dropped: z.number() })

/** Drops the partitions that ended before these days; returns their number. */
export async function dropPartitions(db: Db, minutesBefore: Date, packedBefore: Date): Promise<number> {
  return db.oneFirst(sql.type(droppedRow)`
    SELECT drop_scan_partitions(${minutesBefore.toISOString().slice(0, 10)}::date,
      ${packedBefore.toISOString().slice(0, 10)}::date) AS dropped`)
}

const newestRow = z.object({
  instance_id: z.number(),
  minute: z.string().nullable(),
  error: z.string().nullable(),
  usable: z.boolean().nullable(),
  mid: z.number().nullable(),
  spread_bps: z.number().nullable(),
  depth_2pct_usd: z.number().nullable(),
  depth_truncated: z.boolean().nullable(),
  depth_at: z.string().nullable(),
  depth_flags: z.number().nullable(),
  bids: z.array(z.number().nullable()).nullable(),
  asks: z.array(z.number().nullable()).nullable(),
  ok_1h: z.number(),
})
export type NewestScan = z.output<typeof newestRow>

/**
 * Joins `deep`, the newest scan of an instance within ten minutes that knows its depth: books that reach 2 % of the mid are
 * read every five minutes.
 */
export const joinDeep = (instanceId: ReturnType<typeof sql.fragment>, at: string) => sql.fragment`
  LEFT JOIN LATERAL (
    SELECT minute AS depth_at, flags AS depth_flags, 2 * least(depth_bid_2_usd, depth_ask_2_usd)::float8 AS depth_2pct_usd,
      flags & ${SCAN_FLAGS.truncated} <> 0 AS depth_truncated,
      CASE WHEN depth_bid_01_usd IS NOT NULL THEN ARRAY[depth_bid_01_usd, depth_bid_05_usd, depth_bid_1_usd, depth_bid_2_usd] END AS bids,
      ARRAY[depth_ask_01_usd, depth_ask_05_usd, depth_ask_1_usd, depth_ask_2_usd] AS asks
    FROM scan_minute AS one WHERE one.instance_id = ${instanceId} AND minute > ${at}::timestamptz - interval '10 minutes'
      AND minute <= ${at} AND depth_bid_2_usd IS NOT NULL ORDER BY minute DESC LIMIT 1) AS deep ON true`

/**
 * Returns the newest scan of each instance within a day, its newest known depth, and the number of good scans of the last
 * hour. `bids` and `asks` are dollars in the four bands.
 */
export async function newestScans(db: Db, instanceIds: readonly number[], now: Date): Promise<readonly NewestScan[]> {
  const at = now.toISOString()
  return db.any(sql.type(newestRow)`
    SELECT asked.instance_id, newest.minute, newest.error, newest.flags & ${SCAN_UNUSABLE} = 0 AND newest.error IS NULL AS usable,
      (newest.bid + newest.ask) / 2 AS mid, newest.spread_bps::float8 AS spread_bps,
      deep.depth_2pct_usd, deep.depth_truncated, deep.depth_at, deep.depth_flags, to_json(deep.bids) AS bids, to_json(deep.asks) AS asks,
      (SELECT count(*)::int FROM scan_minute AS hour WHERE hour.instance_id = asked.instance_id
        AND minute > ${at}::timestamptz - interval '1 hour' AND minute <= ${at} AND error IS NULL AND flags & ${SCAN_UNUSABLE} = 0) AS ok_1h
    FROM unnest(${sql.array([...instanceIds], 'int4')}) AS asked (instance_id)
    LEFT JOIN LATERAL (
      SELECT * FROM scan_minute AS one WHERE one.instance_id = asked.instance_id
        AND minute > ${at}::timestamptz - interval '1 day' AND minute <= ${at} ORDER BY minute DESC LIMIT 1) AS newest ON true
    ${joinDeep(sql.fragment`asked.instance_id`, at)}`)
}
