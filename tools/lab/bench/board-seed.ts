import type pg from 'pg'

/** Fills market-data's tables with pairs of ten venues and observations of each in the last 140 minutes: two hours before each of five passes. */
export async function seedBoard(admin: pg.Client, pairsPerVenue: number, now: Date): Promise<void> {
  const values = [pairsPerVenue]
  const at = `'${now.toISOString()}'::timestamptz`
  await admin.query('SET search_path TO market_data')
  await admin.query(
    `INSERT INTO venue (exchange, source, list_seq, list_count)
     SELECT 'venue' || v, 'replay', 1, $1::int FROM generate_series(0, 9) AS v`,
    values,
  )
  await admin.query(
    `INSERT INTO token_instance (token_id, first_seen_at, trading_since)
     SELECT 'venue' || v || '_t' || p || '_usdt', ${at}, ${at} FROM generate_series(0, 9) AS v, generate_series(1, $1::int) AS p`,
    values,
  )
  await admin.query(
    `INSERT INTO token (token_id, exchange, symbol, base, quote, name, instance_id)
     SELECT token_id, split_part(token_id, '_', 1), upper(split_part(token_id, '_', 2)) || '/USDT',
       upper(split_part(token_id, '_', 2)), 'USDT', 'A token', instance_id
     FROM token_instance WHERE token_id LIKE 'venue%'`,
  )
  await admin.query(
    `INSERT INTO candle_features (instance_id, minutes, zero_trade_share, amihud, computed_at)
     SELECT instance_id, 1000, random(), random() * 100, ${at} FROM token WHERE exchange LIKE 'venue%'`,
  )
  await admin.query(
    `INSERT INTO observation (exchange, minute, instance_ids, price, spread_bps, volume_24h_usd, change_24h_pct, depth_2pct_usd)
     SELECT exchange, ${at} - m * interval '1 minute', array_agg(instance_id ORDER BY instance_id), array_agg(random() * 100),
       array_agg((random() * 300)::real), array_agg(random() * 1e7), array_agg((random() * 10 - 5)::real),
       array_agg(CASE WHEN instance_id % 5 = m % 5 THEN random() * 1e6 END ORDER BY instance_id)
     FROM token, generate_series(0, 139) AS m WHERE exchange LIKE 'venue%' GROUP BY exchange, m`,
  )
  await admin.query('ANALYZE')
}
