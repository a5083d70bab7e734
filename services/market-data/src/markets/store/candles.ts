import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const dueRow = z.object({ exchange: z.string(), instance_id: z.number(), symbol: z.string(), quote: z.string() })
export type CandlesDue = z.output<typeof dueRow>

/** Returns trading instances whose candles were last read before `until`, the never read ones first, without those of `without`. */
export async function candlesDue(
  db: Db,
  exchange: string,
  until: Date,
  without: readonly number[],
  max: number,
): Promise<readonly CandlesDue[]> {
  return db.any(sql.type(dueRow)`
    SELECT exchange, instance_id, symbol, quote
    FROM token JOIN token_instance USING (instance_id) LEFT JOIN candle_features AS features USING (instance_id)
    WHERE exchange = ${exchange} AND trading = 'trading'
      AND (features.computed_at IS NULL OR features.computed_at < ${until.toISOString()})
      AND instance_id <> ALL (${sql.array([...without], 'int4')})
    ORDER BY features.computed_at NULLS FIRST, instance_id LIMIT ${max}`)
}

export interface CandleFeatures {
  readonly instanceId: number
  readonly minutes: number
  readonly zeroTradeShare: number
  readonly amihud: number | null
}

export async function putCandleFeatures(db: Db, rows: readonly CandleFeatures[], now: Date): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map((row) => [row.instanceId, row.minutes, row.zeroTradeShare, row.amihud, now.toISOString()])
  await db.query(sql.unsafe`
    INSERT INTO candle_features (instance_id, minutes, zero_trade_share, amihud, computed_at)
    SELECT * FROM ${sql.unnest(values, ['int4', 'int2', 'float4', 'float8', 'timestamptz'])}
    ON CONFLICT (instance_id) DO UPDATE SET minutes = excluded.minutes, zero_trade_share = excluded.zero_trade_share,
      amihud = excluded.amihud, computed_at = excluded.computed_at`)
}
