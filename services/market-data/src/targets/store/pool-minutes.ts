import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import { SCAN_FLAGS } from '../rules/scan.ts'
import { joinDeep } from './scans.ts'

const scanRow = z.object({
  exchange: z.string(),
  symbol: z.string(),
  instance_id: z.number(),
  price: z.number().nullable(),
  spread_bps: z.number().nullable(),
  depth_2pct_usd: z.number().nullable(),
  depth_truncated: z.boolean().nullable(),
  spread_before: z.number().nullable(),
  depth_before: z.number().nullable(),
  flags: z.number(),
  error: z.string().nullable(),
})
export type PoolScan = z.output<typeof scanRow>

/**
 * Returns the scan of every target in a minute and its newest known depth, with medians of the 60 minutes before; of depth
 * only of complete books, as lower bounds do not compare. Joined from the turns, so that each
 * pair is looked up by its key.
 */
export async function poolScans(db: Db, minute: Date): Promise<readonly PoolScan[]> {
  const at = minute.toISOString()
  return db.any(sql.type(scanRow)`
    SELECT exchange, symbol, token.instance_id, (scan.bid + scan.ask) / 2 AS price, scan.spread_bps::float8 AS spread_bps,
      deep.depth_2pct_usd, deep.depth_truncated, before.spread AS spread_before,
      before.depth AS depth_before, scan.flags, scan.error
    FROM scan_turn JOIN token USING (token_id)
    JOIN scan_minute AS scan ON scan.instance_id = token.instance_id AND scan.minute = ${at}
    LEFT JOIN LATERAL (
      SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY spread_bps)::float8 AS spread,
        percentile_disc(0.5) WITHIN GROUP (ORDER BY 2 * least(depth_bid_2_usd, depth_ask_2_usd))
          FILTER (WHERE flags & ${SCAN_FLAGS.truncated} = 0)::float8 AS depth
      FROM scan_minute AS hour WHERE hour.instance_id = token.instance_id
        AND minute >= ${at}::timestamptz - interval '1 hour' AND minute < ${at}) AS before ON true
    ${joinDeep(sql.fragment`token.instance_id`, at)}
    ORDER BY exchange, symbol`)
}

const minuteRow = z.object({ minute: z.string() })

/** Returns the newest published minute of the pool; null before the first. */
export async function lastPoolMinute(db: Db): Promise<string | null> {
  return db.maybeOneFirst(sql.type(minuteRow)`
    SELECT minute FROM pool_minute ORDER BY minute DESC LIMIT 1`)
}

/** Marks a minute as published; false if it was already. Marks older than an hour are deleted. */
export async function notePoolMinute(tx: Tx, minute: Date): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    INSERT INTO pool_minute (minute) VALUES (${minute.toISOString()}) ON CONFLICT DO NOTHING`)
  await tx.query(sql.unsafe`
    DELETE FROM pool_minute WHERE minute < ${minute.toISOString()}::timestamptz - interval '1 hour'`)
  return rowCount > 0
}
