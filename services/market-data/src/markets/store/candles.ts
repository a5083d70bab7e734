import { instant, sql, table, typed, type Db, type RowOf } from '@svc/postgres'
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

const features = table('candle_features', {
  instanceId: typed('int4', z.number()),
  minutes: typed('int2', z.number()),
  zeroTradeShare: typed('float4', z.number()),
  amihud: typed('float8', z.number().nullable()),
  computedAt: typed('timestamptz', instant),
})
const replaceFeatures = features.onConflict(['instanceId'])
export type CandleFeatures = Omit<RowOf<typeof features>, 'computedAt'>

export async function putCandleFeatures(db: Db, rows: readonly CandleFeatures[], now: Date): Promise<void> {
  if (rows.length === 0) return
  const computed = rows.map((row) => ({ ...row, computedAt: now }))
  await db.query(sql.unsafe`${features.insertAll(computed)} ${replaceFeatures}`)
}
