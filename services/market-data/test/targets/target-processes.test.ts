import { contracts } from '@svc/contracts/all'
import { openPool, sql } from '@svc/postgres'
import { startReplayExchange } from '@svc/replay-exchange'
import { eventually, opened, testStack } from '@svc/testing'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { hold, serviceProcesses } from '../service-processes.ts'

const TARGETS = 40
/** Speed of the services' and the venue's clock: the minute between two scans takes ten seconds. */
const SPEED = 6
const MINUTE = 60_000

const scans = () =>
  pool.oneFirst(sql.type(z.object({ n: z.number() }))`SELECT count(*)::int AS n FROM market_data.scan_minute`)

const stack = opened(() => testStack(contracts, ['market-data']))
const exchange = opened(() => startReplayExchange({ tokens: 60, venues: ['binance'], limits: false, speed: SPEED }))
const pool = opened(() => openPool(stack.databaseOf('market-data').superuserUrl))
const processes = serviceProcesses(stack, exchange, ['binance'], { MARKET_LOCAL_BUDGET_FACTOR: '1000' })
afterEach(async () => {
  await processes.killAll()
  exchange.faults.clear()
})

it('a process that is killed during its scans loses at most that minute, and the other process repeats none of them', async () => {
  const first = await processes.start()
  const second = await processes.start()
  // Books come so late that calls are under way whenever the process is killed.
  exchange.faults.set('binance', { slowMs: 400, path: 'depth' })
  await pool.query(
    sql.unsafe`TRUNCATE market_data.target_account, market_data.target, market_data.scan_turn, market_data.scan_minute`,
  )
  await pool.query(sql.unsafe`INSERT INTO market_data.target_account (account_id, tier) VALUES (7, 2)`)
  await pool.query(sql.unsafe`
    INSERT INTO market_data.target (account_id, token_id, status, added_at)
    SELECT 7, token_id, 'active', now() FROM market_data.token JOIN market_data.token_instance USING (instance_id, token_id)
    WHERE trading = 'trading' ORDER BY token_id LIMIT ${TARGETS}`)
  await pool.query(sql.unsafe`
    INSERT INTO market_data.scan_turn (token_id, next_at) SELECT token_id, now() FROM market_data.target`)
  await eventually(async () => (await scans()) > 0)
  const begun = exchange.clock.now()
  await processes.kill(first)
  const minutesOf = () =>
    pool.any(sql.type(z.object({ instance_id: z.number(), minutes: z.number(), rows: z.number() }))`
      SELECT instance_id, count(DISTINCT minute)::int AS minutes, count(*)::int AS rows
      FROM market_data.scan_minute GROUP BY instance_id`)
  // In the next whole minute every target has its scan again.
  await eventually(
    async () => {
      const since = new Date(Math.ceil(begun / MINUTE) * MINUTE).toISOString()
      const seen = await pool.oneFirst(sql.type(z.object({ n: z.number() }))`
        SELECT count(DISTINCT instance_id)::int AS n FROM market_data.scan_minute WHERE minute >= ${since}`)
      return seen >= TARGETS
    },
    { everyMs: 100 },
  )
  await processes.kill(second)
  const rows = await minutesOf()
  expect(rows.length).toBe(TARGETS)
  for (const one of rows) expect(one.rows).toBe(one.minutes)
  const turns = await pool.oneFirst(
    sql.type(z.object({ n: z.number() }))`SELECT count(*)::int AS n FROM market_data.scan_turn`,
  )
  expect(turns).toBe(TARGETS)
  // Nothing half-written: a row has figures, or the class of its failure.
  const halves = await pool.any(sql.unsafe`
    SELECT * FROM market_data.scan_minute WHERE (error IS NULL) = (bid IS NULL AND ask IS NULL)`)
  expect(halves).toEqual([])
})

it('a process that is killed while packing stores two hours completely or not at all', async () => {
  const bucket = new Date(Math.floor(Date.now() / 7_200_000) * 7_200_000 - 2 * 7_200_000).toISOString()
  // With those that a process would make itself, which it could not while the table is locked.
  await pool.query(sql.unsafe`
    SELECT market_data.make_scan_partitions(${bucket.slice(0, 10)}::date + day) FROM generate_series(0, 3) AS day`)
  await pool.query(sql.unsafe`
    INSERT INTO market_data.scan_minute (instance_id, minute, bid, ask, flags)
    SELECT i, ${bucket}::timestamptz + m * interval '1 minute', 1, 2, 0
    FROM generate_series(900001, 901000) AS i, generate_series(0, 119) AS m`)
  await pool.query(sql.unsafe`UPDATE market_data.scan_bucketing SET bucketed_until = ${bucket}`)
  // When the packing process stops, the sums are written and the packed scans are not.
  const release = await hold(pool, sql.unsafe`LOCK TABLE market_data.scan_packed IN SHARE MODE`)
  const child = await processes.start()
  await eventually(
    async () =>
      (await pool.oneFirst(sql.type(z.object({ n: z.number() }))`
        SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INSERT INTO scan_packed%'
          AND datname = current_database()`)) > 0,
    { everyMs: 50 },
  )
  await processes.kill(child)
  await release()
  const stored = () =>
    pool.one(sql.type(z.object({ sums: z.number(), blocks: z.number(), scans: z.number(), minutes: z.number() }))`
      SELECT count(*)::int AS blocks, coalesce(sum(scans), 0)::int AS scans,
        (SELECT count(*)::int FROM market_data.scan_bucket WHERE bucket = ${bucket} AND instance_id > 900000) AS sums,
        (SELECT count(*)::int FROM market_data.scan_minute WHERE minute >= ${bucket} AND instance_id > 900000) AS minutes
      FROM market_data.scan_packed WHERE bucket = ${bucket} AND instance_id > 900000`)
  expect(await stored()).toEqual({ sums: 0, blocks: 0, scans: 0, minutes: 120_000 })
  await processes.start()
  await eventually(async () => (await stored()).blocks > 0, { everyMs: 200 })
  expect(await stored()).toEqual({ sums: 1_000, blocks: 1_000, scans: 120_000, minutes: 120_000 })
})
