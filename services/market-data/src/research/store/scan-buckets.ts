import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { BucketVolume } from '../rules/bucket-volume.ts'
import { mostlyWhole } from '#markets/store/observations.ts'
import { DEEPER_MIN } from '../rules/target-history.ts'
import { SCAN_FLAGS, SCAN_UNUSABLE } from '#targets/rules/scan.ts'
import { packBucket } from './packed-scans.ts'

const BUCKET_MS = 7_200_000

const figure = z.number().nullable()
const minutes = z.string()
const bucketRow = z.object({
  bucket: z.string(),
  scanned: minutes,
  good: minutes,
  ok: z.number(),
  spread_bps: figure,
  spread_low_bps: figure,
  spread_high_bps: figure,
  spread_p95_bps: figure,
  depth_2pct_usd: figure,
  depth_low_usd: figure,
  depth_high_usd: figure,
  depth_p5_usd: figure,
  cost_1k_bps: figure,
  cost_10k_bps: figure,
  imbalance: figure,
  volume_usd: figure,
  volume_minutes: z.number(),
  trades: figure,
  zero_trade_share: figure,
  open: figure,
  high: figure,
  low: figure,
  close: figure,
  vwap: figure,
  volatility_bps: figure,
  amihud: figure,
  latency_p95_ms: figure,
  skew_ms: figure,
  stale: z.number(),
  crossed: z.number(),
  truncated: z.number(),
  deeper: z.number(),
  depth_is_lower_bound: z.boolean().nullable(),
  one_sided: z.number(),
  errors: z.record(z.string(), z.number()).nullable(),
})
export type BucketRow = z.output<typeof bucketRow>

const columns = sql.join(
  ['instance_id', ...Object.keys(bucketRow.shape)].map((name) => sql.identifier([name])),
  sql.fragment`, `,
)

/** The value at a share of a sorted array; places count from 1. */
const at = (sorted: 'spreads' | 'depths', share: number) =>
  sql.fragment`${sql.identifier([sorted])}[greatest(1, ceil(cardinality(${sql.identifier([sorted])}) * ${share}::float8)::int)]`

/**
 * Buckets of the scans that `which` selects. Each figure is sorted once, and its quantiles are read from the sorted array.
 * The interval of a median follows from order statistics: for 6 to 120 values it covers the median with at least 95 %. With
 * six complete deeper books the depths are theirs: these are read on a schedule, while usual books are complete when little
 * rests. Else they are those of all complete books, if most are; else of all books, and lower bounds.
 */
const bucketsOf = (which: ReturnType<typeof sql.fragment>) => sql.fragment`
  WITH one AS MATERIALIZED (
    SELECT instance_id, date_bin('2 hours', minute, '2000-01-01Z') AS bucket, minute, flags, error, latency_ms, skew_ms,
      (extract(epoch FROM minute)::bigint / 60 % 120)::int AS place,
      error IS NULL AND flags & ${SCAN_UNUSABLE} = 0 AS is_good,
      CASE WHEN error IS NULL AND flags & ${SCAN_UNUSABLE} = 0 THEN (bid + ask) / 2 END AS mid,
      flags & ${SCAN_FLAGS.deeper | SCAN_FLAGS.truncated} = ${SCAN_FLAGS.deeper} AS is_deeper,
      flags & ${SCAN_FLAGS.truncated} <> 0 AS is_bound,
      spread_bps, 2 * least(depth_bid_2_usd, depth_ask_2_usd) AS depth, imbalance, last, volume_usd, trades,
      CASE WHEN cost_buy_1k_bps IS NOT NULL AND cost_sell_1k_bps IS NOT NULL THEN greatest(cost_buy_1k_bps, cost_sell_1k_bps) END AS cost_1k,
      CASE WHEN cost_buy_10k_bps IS NOT NULL AND cost_sell_10k_bps IS NOT NULL THEN greatest(cost_buy_10k_bps, cost_sell_10k_bps) END AS cost_10k
    FROM scan_minute WHERE ${which}
  ), moved AS (
    SELECT *, ln(mid / lag(mid) OVER (PARTITION BY instance_id, bucket ORDER BY minute)) * 10000 AS move FROM one
  ), sums AS (
    SELECT instance_id, bucket, range_agg(int4range(place, place + 1)) AS scanned,
      coalesce(range_agg(int4range(place, place + 1)) FILTER (WHERE is_good), '{}') AS good,
      count(*) FILTER (WHERE is_good)::int2 AS ok,
      array_agg(spread_bps ORDER BY spread_bps) FILTER (WHERE is_good AND spread_bps IS NOT NULL) AS spreads,
      array_agg(depth ORDER BY depth) FILTER (WHERE is_good AND depth IS NOT NULL) AS all_depths,
      array_agg(depth ORDER BY depth) FILTER (WHERE is_good AND depth IS NOT NULL AND is_deeper) AS deeper_depths,
      array_agg(depth ORDER BY depth) FILTER (WHERE is_good AND depth IS NOT NULL AND NOT is_bound) AS whole_depths,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY cost_1k) FILTER (WHERE is_good) AS cost_1k_bps,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY cost_10k) FILTER (WHERE is_good) AS cost_10k_bps,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY imbalance) FILTER (WHERE is_good) AS imbalance,
      sum(volume_usd::float8) AS volume_usd, count(volume_usd)::int2 AS volume_minutes,
      CASE WHEN bool_and(trades IS NOT NULL) FILTER (WHERE volume_usd IS NOT NULL) THEN sum(trades)::int END AS trades,
      count(*) FILTER (WHERE volume_usd = 0)::float8 / nullif(count(volume_usd), 0) AS zero_trade_share,
      (array_agg(mid ORDER BY minute) FILTER (WHERE mid IS NOT NULL))[1] AS open, max(mid) AS high, min(mid) AS low,
      (array_agg(mid ORDER BY minute DESC) FILTER (WHERE mid IS NOT NULL))[1] AS close,
      sum(coalesce(last, mid) * volume_usd) / nullif(sum(volume_usd::float8) FILTER (WHERE coalesce(last, mid) IS NOT NULL), 0) AS vwap,
      sqrt(sum(move * move)) AS volatility_bps,
      avg(abs(move) * 1000 / nullif(volume_usd, 0)) AS amihud,
      percentile_disc(0.95) WITHIN GROUP (ORDER BY latency_ms) AS latency_p95_ms,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY skew_ms) AS skew_ms,
      count(*) FILTER (WHERE flags & ${SCAN_FLAGS.stale} <> 0)::int2 AS stale,
      count(*) FILTER (WHERE flags & ${SCAN_FLAGS.crossed} <> 0)::int2 AS crossed,
      count(*) FILTER (WHERE flags & ${SCAN_FLAGS.truncated} <> 0)::int2 AS truncated,
      count(*) FILTER (WHERE flags & ${SCAN_FLAGS.oneSided} <> 0)::int2 AS one_sided
    FROM moved GROUP BY instance_id, bucket
  ), failed AS (
    SELECT instance_id, bucket, jsonb_object_agg(error, n) AS errors
    FROM (SELECT instance_id, bucket, error, count(*) AS n FROM one WHERE error IS NOT NULL GROUP BY 1, 2, 3) AS counted
    GROUP BY instance_id, bucket
  ), chosen AS (
    SELECT *, coalesce(cardinality(deeper_depths), 0)::int2 AS deeper,
      CASE WHEN cardinality(deeper_depths) >= ${DEEPER_MIN} THEN deeper_depths WHEN whole THEN whole_depths ELSE all_depths END AS depths,
      all_depths IS NOT NULL AND NOT (whole OR coalesce(cardinality(deeper_depths), 0) >= ${DEEPER_MIN}) AS depth_is_lower_bound
    FROM sums, LATERAL (SELECT ${mostlyWhole(
      sql.fragment`coalesce(cardinality(whole_depths), 0)`,
      sql.fragment`coalesce(cardinality(all_depths), 0)`,
    )} AS whole) AS judged
  ), placed AS (
    SELECT chosen.*, failed.errors, floor((cardinality(spreads) + 1 - 1.96 * sqrt(cardinality(spreads))) / 2)::int AS spread_place,
      floor((cardinality(depths) + 1 - 1.96 * sqrt(cardinality(depths))) / 2)::int AS depth_place
    FROM chosen LEFT JOIN failed USING (instance_id, bucket)
  )
  SELECT instance_id, bucket, scanned, good, ok, ${at('spreads', 0.5)} AS spread_bps,
    CASE WHEN cardinality(spreads) >= 6 THEN spreads[spread_place] END AS spread_low_bps,
    CASE WHEN cardinality(spreads) >= 6 THEN spreads[cardinality(spreads) + 1 - spread_place] END AS spread_high_bps,
    ${at('spreads', 0.95)} AS spread_p95_bps, ${at('depths', 0.5)} AS depth_2pct_usd,
    CASE WHEN cardinality(depths) >= 6 THEN depths[depth_place] END AS depth_low_usd,
    CASE WHEN cardinality(depths) >= 6 THEN depths[cardinality(depths) + 1 - depth_place] END AS depth_high_usd,
    ${at('depths', 0.05)} AS depth_p5_usd, cost_1k_bps, cost_10k_bps, imbalance, volume_usd, volume_minutes, trades, zero_trade_share,
    open, high, low, close, vwap, volatility_bps, amihud, latency_p95_ms, skew_ms, stale, crossed, truncated, deeper, depth_is_lower_bound,
    one_sided, errors
  FROM placed`

const nextRow = z.object({ next: z.string().nullable() })
const nextBucket = sql.type(nextRow)`
  SELECT coalesce(bucketed_until, date_bin('2 hours', (SELECT min(minute) FROM scan_minute), '2000-01-01Z')) AS next
  FROM scan_bucketing`

const scannedRow = z.object({ instance_id: z.number(), exchange: z.string(), symbol: z.string(), quote: z.string() })
export type ScannedPair = z.output<typeof scannedRow>

/** Returns the begin of the oldest unstored bucket that ended before `until`, with its scanned pairs; null without one. */
export async function bucketDue(
  db: Db,
  until: Date,
): Promise<{ readonly begin: Date; readonly pairs: readonly ScannedPair[] } | null> {
  const { next } = await db.one(nextBucket)
  if (next === null || Date.parse(next) + BUCKET_MS > until.getTime()) return null
  const end = new Date(Date.parse(next) + BUCKET_MS).toISOString()
  const pairs = await db.any(sql.type(scannedRow)`
    SELECT instance_id, exchange, symbol, quote FROM token
    WHERE instance_id IN (SELECT instance_id FROM scan_minute WHERE minute >= ${next} AND minute < ${end}) ORDER BY instance_id`)
  return { begin: new Date(next), pairs }
}

/** Replaces volumes from scans by volumes from candles of the whole two hours, where these cover more minutes. */
async function putVolumes(tx: Tx, bucket: string, volumes: ReadonlyMap<number, BucketVolume>): Promise<void> {
  if (volumes.size === 0) return
  const rows = [...volumes].map(([id, one]) => [id, one.minutes, one.volumeUsd, one.zeroTradeShare, one.vwap])
  await tx.query(sql.unsafe`
    UPDATE scan_bucket SET volume_minutes = read.minutes, volume_usd = read.volume_usd,
      zero_trade_share = read.zero_trade_share, vwap = coalesce(read.vwap, scan_bucket.vwap), trades = NULL
    FROM ${sql.unnest(rows, ['int4', 'int2', 'float8', 'float8', 'float8'])} AS read (id, minutes, volume_usd, zero_trade_share, vwap)
    WHERE instance_id = read.id AND bucket = ${bucket} AND read.minutes >= scan_bucket.volume_minutes`)
}

/**
 * Stores the sums and the packed scans of the oldest unstored bucket that ended before `until`; null without one. The locked
 * row admits one process at a time and marks the bucket as stored in the same commit. Sums are computed before packing
 * rounds the scans.
 */
export async function storeNextBucket(
  tx: Tx,
  until: Date,
  volumes: { readonly begin: Date; readonly of: ReadonlyMap<number, BucketVolume> } | null = null,
): Promise<Date | null> {
  // A separate statement: a statement that also names scan_minute would lock that table while it waits for the row, and a
  // process that creates or drops a partition has locked the row and needs the table.
  await tx.query(sql.unsafe`SELECT FROM scan_bucketing FOR UPDATE`)
  const { next } = await tx.one(nextBucket)
  if (next === null || Date.parse(next) + BUCKET_MS > until.getTime()) return null
  const end = new Date(Date.parse(next) + BUCKET_MS)
  await tx.query(sql.unsafe`
    INSERT INTO scan_bucket (${columns})
    ${bucketsOf(sql.fragment`minute >= ${next} AND minute < ${end.toISOString()}`)}`)
  if (volumes !== null && volumes.begin.getTime() === Date.parse(next)) await putVolumes(tx, next, volumes.of)
  await packBucket(tx, new Date(next), end)
  await tx.query(sql.unsafe`UPDATE scan_bucketing SET bucketed_until = ${end.toISOString()}`)
  return end
}

/** Deletes buckets that begin before a time. */
export async function forgetBuckets(db: Db, before: Date, max: number): Promise<number> {
  const { rowCount } = await db.query(sql.unsafe`
    DELETE FROM scan_bucket WHERE (instance_id, bucket) IN (
      SELECT instance_id, bucket FROM scan_bucket WHERE bucket < ${before.toISOString()} ORDER BY bucket LIMIT ${max})`)
  return rowCount
}

const bucketsRow = z.object({ buckets: z.array(bucketRow) })

/** Returns the buckets of an instance since `from`, oldest first: stored buckets, then buckets of later scans. */
export async function readBuckets(db: Db, instanceId: number, from: Date): Promise<readonly BucketRow[]> {
  const { buckets } = await db.one(sql.type(bucketsRow)`
    WITH bound AS (SELECT greatest(coalesce((SELECT bucketed_until FROM scan_bucketing), '-infinity'), ${from.toISOString()}) AS fresh),
    all_buckets AS (
      SELECT ${columns} FROM scan_bucket WHERE instance_id = ${instanceId} AND bucket >= ${from.toISOString()}
        AND bucket < (SELECT fresh FROM bound)
      UNION ALL
      (${bucketsOf(sql.fragment`instance_id = ${instanceId} AND minute >= (SELECT fresh FROM bound)`)})
    )
    SELECT coalesce(json_agg(one ORDER BY bucket), '[]') AS buckets FROM (
      SELECT to_char(bucket AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS bucket, ${sql.join(
        Object.keys(bucketRow.shape)
          .filter((name) => name !== 'bucket')
          .map((name) => sql.identifier([name])),
        sql.fragment`, `,
      )} FROM all_buckets) AS one`)
  return buckets
}
