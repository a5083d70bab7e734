import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const tradedRow = z.object({ instance_id: z.number(), trades: z.union([z.literal(0), z.literal(1)]) })

/**
 * Returns whether targets traded in the minute before `minute`, according to their scans: 1 for any trade, 0 for none. If
 * no scanned pair of a venue traded, its candles may be old, so all pairs of that venue are left out.
 */
export async function tradedBefore(db: Db, minute: Date): Promise<ReadonlyMap<number, 0 | 1>> {
  // Joined from the turns, so that each pair is looked up by its key.
  const rows = await db.any(sql.type(tradedRow)`
    SELECT instance_id, trades FROM (
      SELECT instance_id, CASE WHEN volume_usd > 0 OR scan.trades > 0 THEN 1 WHEN scan.trades = 0 THEN 0 END AS trades,
        bool_or(volume_usd > 0 OR scan.trades > 0) OVER (PARTITION BY exchange) AS any_traded
      FROM scan_turn JOIN token USING (token_id) JOIN scan_minute AS scan USING (instance_id)
      WHERE scan.minute = ${minute.toISOString()}) AS scanned
    WHERE any_traded AND trades IS NOT NULL`)
  return new Map(rows.map(({ instance_id, trades }) => [instance_id, trades]))
}
