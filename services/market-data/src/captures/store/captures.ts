import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { CaptureCause } from '../rules/capture-plan.ts'
import type { Microburst } from '../rules/microburst.ts'

const figure = z.number().nullable()
const candidateRow = z.object({
  instance_id: z.number(),
  exchange: z.string(),
  symbol: z.string(),
  quote: z.string(),
  per_day: z.number(),
  scheduled_today: z.number(),
  triggered_today: z.number(),
  last_scheduled: figure,
  last_any: figure,
  volume_usd: figure,
  volume_median: figure,
  spread_bps: figure,
  spread_median: figure,
})
export type CandidateRow = z.output<typeof candidateRow>

/** Returns Tier 2 targets with captures, with the captures used today and the last hour of their scans. */
export async function captureCandidates(db: Db, now: Date): Promise<readonly CandidateRow[]> {
  const at = now.toISOString()
  return db.any(sql.type(candidateRow)`
    WITH wanted AS (
      SELECT token.instance_id, exchange, symbol, quote, max(hf_captures)::int AS per_day
      FROM target JOIN target_account USING (account_id) JOIN token USING (token_id)
      WHERE status = 'active' AND hf_captures > 0 AND tier = 2
      GROUP BY token.instance_id, exchange, symbol, quote)
    SELECT wanted.*, spent.*, newest.volume_usd, newest.spread_bps, hour.volume_median, hour.spread_median
    FROM wanted, LATERAL (
      SELECT count(*) FILTER (WHERE cause = 'schedule')::int AS scheduled_today,
        count(*) FILTER (WHERE cause <> 'schedule')::int AS triggered_today,
        floor(extract(epoch FROM max(started_at) FILTER (WHERE cause = 'schedule')) * 1000)::float8 AS last_scheduled,
        floor(extract(epoch FROM max(started_at)) * 1000)::float8 AS last_any
      FROM hf_capture WHERE hf_capture.instance_id = wanted.instance_id
        AND started_at >= date_trunc('day', ${at}::timestamptz, 'UTC')) AS spent
    LEFT JOIN LATERAL (
      SELECT volume_usd::float8 AS volume_usd, spread_bps::float8 AS spread_bps FROM scan_minute
      WHERE scan_minute.instance_id = wanted.instance_id AND minute > ${at}::timestamptz - interval '3 minutes' AND minute <= ${at}
      ORDER BY minute DESC LIMIT 1) AS newest ON true
    LEFT JOIN LATERAL (
      SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY volume_usd)::float8 AS volume_median,
        percentile_disc(0.5) WITHIN GROUP (ORDER BY spread_bps)::float8 AS spread_median
      FROM scan_minute WHERE scan_minute.instance_id = wanted.instance_id
        AND minute >= ${at}::timestamptz - interval '1 hour' AND minute <= ${at}) AS hour ON true
    ORDER BY wanted.instance_id`)
}

/**
 * Claims a capture; false if a capture of the same pair began within a minute. The lock serializes processes, so that the
 * number of the day is never exceeded.
 */
export async function claimCapture(tx: Tx, instanceId: number, cause: CaptureCause, now: Date): Promise<boolean> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended('market_data.hf_capture', ${instanceId}))`)
  const { rowCount } = await tx.query(sql.unsafe`
    INSERT INTO hf_capture (instance_id, started_at, cause)
    SELECT ${instanceId}, ${now.toISOString()}, ${cause}
    WHERE NOT EXISTS (SELECT FROM hf_capture WHERE instance_id = ${instanceId}
      AND started_at > ${now.toISOString()}::timestamptz - interval '60 seconds')
    ON CONFLICT DO NOTHING`)
  return rowCount > 0
}

/** Stores the results of a capture. */
export async function endCapture(
  db: Db,
  instanceId: number,
  startedAt: Date,
  brought: {
    readonly endedAt: Date
    readonly fills: number
    readonly books: number
    readonly bursts: readonly Microburst[]
  },
): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE hf_capture SET ended_at = ${brought.endedAt.toISOString()}, fills = ${brought.fills}, books = ${brought.books},
      bursts = ${JSON.stringify(brought.bursts)}
    WHERE instance_id = ${instanceId} AND started_at = ${startedAt.toISOString()} AND ended_at IS NULL`)
}
