import type pg from 'pg'

const HOUR_MS = 3_600_000

/** Fills market-data's tables with targets of account 1 and a scan of each in every minute of so many days. */
export async function seedScans(admin: pg.Client, targets: number, days: number, now: Date): Promise<void> {
  const end = `'${new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS).toISOString()}'::timestamptz`
  const start = `(${end} - interval '${days} days')`
  await admin.query('SET search_path TO market_data')
  await admin.query(
    `INSERT INTO venue (exchange, source, list_seq, list_count) VALUES ('venue', 'replay', 1, ${targets})`,
  )
  await admin.query(
    `INSERT INTO token_instance (token_id, first_seen_at, trading_since)
     SELECT 'venue_t' || p || '_usdt', ${start}, ${start} FROM generate_series(1, ${targets}) AS p`,
  )
  await admin.query(
    `INSERT INTO token (token_id, exchange, symbol, base, quote, name, instance_id)
     SELECT token_id, 'venue', upper(split_part(token_id, '_', 2)) || '/USDT', upper(split_part(token_id, '_', 2)), 'USDT', NULL, instance_id
     FROM token_instance WHERE token_id LIKE 'venue_t%'`,
  )
  await admin.query(`INSERT INTO target_account (account_id, tier) VALUES (1, 2)`)
  await admin.query(
    `INSERT INTO target (account_id, token_id, status, added_at) SELECT 1, token_id, 'active', ${start} FROM token WHERE exchange = 'venue'`,
  )
  await admin.query(`SELECT make_scan_partitions(day::date) FROM generate_series(${start}, ${end}, '1 day') AS day`)
  await admin.query(
    `INSERT INTO scan_minute
     SELECT instance_id, m, p * 0.999, p * 1.001, p, 5 + random() * 20, 1e4 * random(), 1e4 * random(), 4e4 * random(), 4e4 * random(),
       8e4 + random() * 1e4, 8e4 + random() * 1e4, 5 + random(), 5 + random(), 9 + random(), 9 + random(), random() - 0.5,
       random() * 5000, (random() * 9)::int, (random() * 900)::int, (100 + random() * 200)::int, (random() * 60 - 30)::int,
       (random() < 0.03)::int, CASE WHEN random() < 0.005 THEN 'timeout' END
     FROM token, generate_series(${start}, ${end} - interval '1 minute', '1 minute') AS m,
       LATERAL (SELECT 20 + random() + instance_id * 0 AS p) AS price
     WHERE exchange = 'venue'`,
  )
  await admin.query('ANALYZE')
}
