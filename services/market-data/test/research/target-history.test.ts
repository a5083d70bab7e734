import { marketData } from '@svc/contracts/market-data'
import type { TargetHistory } from '@svc/contracts/market-data/research'
import { openPool, sql, type Db } from '@svc/postgres'
import { clientOf } from '@svc/service'
import { eventually, opened, refusalOf } from '@svc/testing'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { readPackedScans } from '#research/store/packed-scans.ts'
import { readBuckets, storeNextBucket } from '#research/store/scan-buckets.ts'
import { startNeighbours } from '../neighbours.ts'
import { account, MINUTE, startRig } from '../rig.ts'

const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const caller = { ...account(1), account_id: 501 }
const pair = { exchange: 'binance', symbol: 'BTC/USDT' }
const ask = (symbol = pair.symbol, account_id = caller.account_id, days = 21): Promise<TargetHistory> =>
  clientOf(reports, 'research-reports', marketData).readTargetHistory({ account_id, exchange: 'binance', symbol, days })
const instanceId = () =>
  rig.context.pool.oneFirst(sql.type(z.object({ instance_id: z.number() }))`
    SELECT instance_id FROM token WHERE exchange = 'binance' AND symbol = ${pair.symbol}`)
const now = () => rig.clock.now().getTime()

const rig = opened(() => startRig())
opened(() => startNeighbours(rig.stack))
const reports = opened(() => rig.stack.nats.connect('research-reports'))
beforeAll(async () => {
  // All scans of the first tests fall in one bucket.
  const left = 2 * HOUR - (now() % (2 * HOUR))
  if (left < 40 * MINUTE) rig.exchange.clock.advance(left)
  await rig.minutes(6)
  await rig.client.addTarget(pair, { caller })
})

async function scanMinute(): Promise<void> {
  // The last second of the next minute: every turn of it is due.
  rig.exchange.clock.advance(2 * MINUTE - 1_000 - (now() % MINUTE))
  await rig.run('scanTargets')
  await rig.context.scanning.settled(600_000)
  await rig.run('scanTargets')
}

it('rejects an unknown pair and a pair that is not a target with different codes', async () => {
  expect(await refusalOf(ask('NONE/USDT'))).toMatchObject({ status: 404, code: 'unknown_pair' })
  expect(await refusalOf(ask('ETH/USDT'))).toMatchObject({ status: 403, code: 'not_a_target' })
  expect(await refusalOf(ask(pair.symbol, 502))).toMatchObject({ status: 403, code: 'not_a_target' })
})

it('of a new target is empty but has its row of the board', async () => {
  const history = await ask()
  expect(history).toMatchObject({ pair, target: { status: 'active' }, source: 'replay', buckets: [], contract: null })
  expect(history.health).toMatchObject({ expected: 0, ok: 0, longest_gap_minutes: 0, latency_p95_ms: null })
  expect(history.captures).toEqual({ count: 0, seconds: 0, last_at: null, burst_count: 0, bursts: [] })
  expect(history.board?.row.symbol).toBe(pair.symbol)
  expect(history.board?.peers.map(({ key }) => key).toSorted()).toEqual(['depth', 'spread', 'stability', 'volume'])
})

it('of a target added a minute ago has seven days of prices by the hour, which are read once a day', async () => {
  expect((await ask()).hours_read_at).toBeNull()
  expect(await rig.run('readHours')).toBe(1)
  const { hours, hours_read_at, price } = await ask()
  expect(hours.length).toBeGreaterThanOrEqual(168)
  expect(Date.parse(hours_read_at ?? '')).toBeLessThanOrEqual(now())
  for (const [place, hour] of hours.entries()) {
    expect(Date.parse(hour.start)).toBe(Math.floor(now() / HOUR) * HOUR - (hours.length - place) * HOUR)
    expect(hour.low).toBeLessThanOrEqual(hour.close ?? NaN)
    expect(hour.high).toBeGreaterThanOrEqual(hour.close ?? NaN)
    expect(hour.volume_usd).toBeGreaterThanOrEqual(0)
  }
  // The board has observed for six minutes: the price of an hour ago is unknown, the one of a week ago is that of an hour read.
  const before = hours.find(({ start }) => Date.parse(start) + HOUR > now() - 7 * DAY - HOUR)
  expect(price?.change_1h_pct).toBeNull()
  expect(price?.change_7d_pct).toBeCloseTo(((price?.last ?? NaN) / (before?.close ?? NaN) - 1) * 100, 6)
  expect(await rig.run('readHours')).toBe(0)
})

it('names the other listings of the asset with their share of its volume, and pairs of a similar volume', async () => {
  const { venues, peers } = await ask()
  expect(venues.pairs.find(({ is_this }) => is_this)).toMatchObject({ exchange: 'binance', symbol: pair.symbol })
  expect(new Set(venues.pairs.map(({ exchange }) => exchange)).size).toBe(venues.exchanges)
  expect(venues.exchanges).toBeGreaterThan(1)
  const known = venues.pairs.flatMap(({ volume_24h_usd }) => volume_24h_usd ?? [])
  expect(venues.pairs.reduce((sum, { volume_share }) => sum + (volume_share ?? 0), 0)).toBeCloseTo(1, 6)
  expect(known.reduce((sum, one) => sum + one, 0)).toBeCloseTo(venues.volume_24h_usd ?? NaN, 3)
  expect(peers?.near.map(({ symbol }) => symbol)).not.toContain(pair.symbol)
  expect(peers?.near.length).toBeGreaterThan(0)
  expect(peers?.rank ?? 1).toBeLessThanOrEqual(Math.max(1, peers?.of ?? 0))
})

it('names past alerts and what the venue said, newest first, and not those of another token', async () => {
  const id = await instanceId()
  const opened = (minutes: number) => new Date(now() - minutes * MINUTE).toISOString()
  await rig.context.pool.query(sql.unsafe`
    INSERT INTO crisis_episode (instance_id, rule, severity, peak_strength, inputs, rules_version, opened_at, closed_at, close_reason)
    VALUES (${id}, 'crash', 2, 2, '{"rule": "relative", "relative_return_60m": -0.19}', 'x', ${opened(90)}, ${opened(60)}, 'recovered'),
      (${id}, 'halt', 1, 1, '{}', 'x', ${opened(130 * 1_440)}, ${opened(129 * 1_440)}, 'recovered'),
      (${id + 1}, 'halt', 1, 1, '{}', 'x', ${opened(30)}, ${opened(20)}, 'recovered')`)
  await rig.context.pool.query(sql.unsafe`
    INSERT INTO venue_flag_event (instance_id, flag, meaning, raised, at)
    VALUES (${id}, 'st', 'warning', true, ${opened(50)}), (${id}, 'st', 'warning', false, ${opened(40)})`)
  const { past_alerts, notices } = await ask()
  expect(past_alerts).toMatchObject([{ rule: 'crash', severity: 2, opened_at: opened(90), closed_at: opened(60) }])
  expect(notices.slice(0, 2)).toMatchObject([
    { kind: 'flag_ended', detail: 'st', at: opened(40) },
    { kind: 'flag_raised', detail: 'st', at: opened(50) },
  ])
})

it('counts good, failed and missing scans', async () => {
  for (let minute = 0; minute < 8; minute += 1) await scanMinute()
  rig.exchange.faults.set('binance', { status: 503, path: 'depth' })
  await scanMinute()
  rig.exchange.faults.clear()
  // The minute under way and the one before it may still be scanned.
  rig.exchange.clock.advance(4 * MINUTE)
  const { health, buckets, to } = await ask()
  expect(health.ok).toBeGreaterThanOrEqual(7)
  expect(health.errors.reduce((sum, { count }) => sum + count, 0)).toBe(1)
  expect(health.longest_gap_minutes).toBe(3)
  expect(health.expected).toBe(health.ok + 3)
  expect(buckets.reduce((sum, bucket) => sum + bucket.expected, 0)).toBe(health.expected)
  expect(Date.parse(to)).toBe(Math.floor(now() / MINUTE) * MINUTE - MINUTE)
  const bucket = buckets.toSorted((a, b) => b.ok - a.ok)[0]
  expect(bucket?.spread_low_bps).toBeLessThanOrEqual(bucket?.spread_bps ?? NaN)
  expect(bucket?.spread_high_bps).toBeGreaterThanOrEqual(bucket?.spread_bps ?? NaN)
  expect(bucket?.depth_2pct_usd).toBeGreaterThan(0)
  // Candles tell whether there was a trade, not how many: the number is unknown wherever one was.
  expect(bucket?.zero_trade_share).toBeLessThan(1)
  expect(bucket?.trades).toBeNull()
})

/** Scans of every minute of so many days before this hour. */
async function fill(days: number): Promise<number> {
  const id = await instanceId()
  const migrator = await openPool(rig.stack.databaseOf('market-data').superuserUrl)
  const end = new Date(Math.floor(now() / HOUR) * HOUR).toISOString()
  const start = new Date(Date.parse(end) - days * DAY).toISOString()
  await migrator.transaction(async (tx) => {
    await tx.query(sql.unsafe`SET LOCAL search_path TO market_data`)
    await tx.query(sql.unsafe`
      SELECT make_scan_partitions(day::date) FROM generate_series(${start}::timestamptz, ${end}, '1 day') AS day`)
    await tx.query(sql.unsafe`DELETE FROM scan_minute`)
    await tx.query(sql.unsafe`
      INSERT INTO scan_minute
      SELECT ${id}, m, p * 0.999, p * 1.001, p, 5 + random() * 20, 1e4, 1e4, 4e4, 4e4, 8e4 + random() * 1e4, 8e4 + random() * 1e4,
        5 + random(), 5 + random(), 9 + random(), 9 + random(), random() - 0.5, random() * 5000, (random() * 9)::int,
        100, (100 + random() * 200)::int, (random() * 60 - 30)::int,
        CASE WHEN random() < 0.03 THEN 1 WHEN random() < 0.01 THEN 8 ELSE 0 END, CASE WHEN random() < 0.01 THEN 'timeout' END
      FROM generate_series(${start}::timestamptz, ${end}::timestamptz - interval '1 minute', '1 minute') AS m,
        LATERAL (SELECT 20 + 5 * random() AS p) AS price`)
    // The service drops scans of days that are packed.
    await tx.query(sql.unsafe`CREATE TABLE filled AS SELECT * FROM scan_minute`)
    await tx.query(sql.unsafe`ANALYZE`)
  })
  await migrator.end()
  return id
}

it('has the same figures from stored buckets as from scans, and two processes store each bucket once', async () => {
  const id = await fill(21)
  const from = new Date(now() - 21 * DAY)
  const { pool } = rig.context
  const fromScans = await readBuckets(pool, id, new Date(Math.floor(from.getTime() / (2 * HOUR)) * 2 * HOUR))
  const other = await rig.newContext()
  const storeAll = async (context: typeof rig.context) => {
    let stored = 0
    while ((await context.pool.transaction((tx) => storeNextBucket(tx, context.clock.now()))) !== null) stored += 1
    return stored
  }
  const [mine, theirs] = await Promise.all([storeAll(rig.context), storeAll(other)])
  const rows = await pool.oneFirst(
    sql.type(z.object({ rows: z.number() }))`SELECT count(*)::int AS rows FROM scan_bucket`,
  )
  // The service in this process is a third one. A bucket that two of them stored would break its key.
  expect(mine + theirs).toBeLessThanOrEqual(rows)
  expect(mine + theirs).toBeGreaterThan(0)
  expect(rows).toBeGreaterThanOrEqual(251)
  const fromBuckets = await readBuckets(pool, id, new Date(Math.floor(from.getTime() / (2 * HOUR)) * 2 * HOUR))
  expect(fromBuckets).toEqual(fromScans)
})

it('creating partitions and storing a bucket in two processes does not deadlock', async () => {
  const { pool } = rig.context
  const migrator = await openPool(rig.stack.databaseOf('market-data').superuserUrl)
  const waiting = sql.type(z.object({ n: z.number() }))`
    SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%scan_bucketing%FOR UPDATE%'`
  const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // A transaction that ends in a deadlock is tried again.
  const tried = { making: 0, storing: 0 }
  const making = migrator.transaction(async (tx) => {
    tried.making += 1
    // As making partitions begins.
    await tx.query(sql.unsafe`SELECT FROM market_data.scan_bucketing FOR UPDATE`)
    begun.resolve()
    await go.promise
    await tx.query(sql.unsafe`SELECT market_data.make_scan_partitions('2031-01-01')`)
  })
  await begun.promise
  const storing = pool.transaction((tx) => {
    tried.storing += 1
    return storeNextBucket(tx, new Date(0))
  })
  await eventually(async () => (await pool.oneFirst(waiting)) > 0)
  go.resolve()
  await Promise.all([making, storing])
  expect(tried).toEqual({ making: 1, storing: 1 })
  await migrator.end()
})

it('keeps every scan of a stored bucket packed, and the error for a damaged block names it', async () => {
  const id = await instanceId()
  const migrator = await openPool(rig.stack.databaseOf('market-data').superuserUrl)
  const minutes = await migrator.any(sql.type(
    z.object({ minute: z.string(), last: z.number(), depth: z.number(), error: z.string().nullable() }),
  )`
    SELECT minute, last, depth_bid_2_usd::float8 AS depth, error FROM market_data.filled WHERE instance_id = ${id}
      AND minute < (SELECT bucketed_until FROM market_data.scan_bucketing) ORDER BY minute`)
  const read = () => readPackedScans(rig.context.pool, id, new Date(now() - 30 * DAY), new Date(now()))
  const packed = (await read()).flatMap(({ bucket, scans }) =>
    scans.place.map((place, at) => ({
      minute: new Date(Date.parse(bucket) + place * MINUTE).toISOString(),
      last: scans.last[at] ?? NaN,
      depth: scans.depth_bid_2_usd[at] ?? NaN,
      error: scans.error[at],
    })),
  )
  expect(packed.length).toBeGreaterThanOrEqual(20 * 1_440)
  expect(packed.map(({ minute, error }) => ({ minute, error }))).toEqual(
    minutes.map(({ minute, error }) => ({ minute: new Date(minute).toISOString(), error })),
  )
  const worst = (name: 'last' | 'depth') =>
    Math.max(...packed.map((one, at) => Math.abs(one[name] / (minutes[at]?.[name] ?? NaN) - 1)))
  expect(worst('last')).toBeLessThan(1e-12)
  expect(worst('depth')).toBeLessThan(0.001)
  const flipBit = () =>
    migrator.query(sql.unsafe`
    UPDATE market_data.scan_packed SET block = set_bit(block, 321, 1 - get_bit(block, 321))
    WHERE instance_id = ${id} AND bucket = (SELECT min(bucket) FROM market_data.scan_packed WHERE instance_id = ${id})`)
  await flipBit()
  await expect(read()).rejects.toThrow(new RegExp(`scans of instance ${id} from .* cannot be read`))
  await flipBit()
  expect((await read()).length).toBeGreaterThanOrEqual(250)
  await migrator.end()
})

it('has the medians and the interval of its scans', async () => {
  const id = await instanceId()
  const { pool } = rig.context
  const [bucket] = await readBuckets(pool, id, new Date(now() - 3 * DAY))
  const scans = await pool.any(sql.type(z.object({ spread: z.number(), depth: z.number() }))`
    SELECT spread_bps::float8 AS spread, (2 * least(depth_bid_2_usd, depth_ask_2_usd))::float8 AS depth FROM scan_minute
    WHERE instance_id = ${id} AND error IS NULL AND flags & 14 = 0
      AND minute >= ${bucket?.bucket ?? ''} AND minute < ${bucket?.bucket ?? ''}::timestamptz + interval '2 hours'`)
  const spreads = scans.map(({ spread }) => spread).toSorted((a, b) => a - b)
  const n = spreads.length
  expect(bucket?.ok).toBe(n)
  expect(bucket?.spread_bps).toBeCloseTo(spreads[Math.ceil(n * 0.5) - 1] ?? NaN, 4)
  expect(bucket?.spread_p95_bps).toBeCloseTo(spreads[Math.ceil(n * 0.95) - 1] ?? NaN, 4)
  // Places that enclose the median with 95 %: of independent values, as many lie below it as heads in n throws.
  const place = spreads.findIndex((value) => Math.abs(value - (bucket?.spread_low_bps ?? NaN)) < 1e-4)
  let chance = 0
  for (let heads = 0, term = 1; heads <= place; term = (term * (n - heads)) / (heads + 1), heads += 1)
    chance += term * 0.5 ** n
  expect(chance).toBeLessThanOrEqual(0.025)
  expect(chance).toBeGreaterThan(0.01)
  expect(spreads[n - 1 - place]).toBeCloseTo(bucket?.spread_high_bps ?? NaN, 4)
})

/** Rows that Postgres takes from tables for a statement, as `EXPLAIN ANALYZE` counts them. */
interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly Plans?: readonly PlanNode[]
}
const rowsRead = (node: PlanNode): number =>
  (node['Relation Name'] === undefined ? 0 : node['Actual Rows'] * node['Actual Loops']) +
  (node.Plans ?? []).reduce((sum, one) => sum + rowsRead(one), 0)

it('of 21 days is read from its buckets and not from its scans, and of 90 days leaves out hours without a watching account', async () => {
  const id = await instanceId()
  const { pool } = rig.context
  const from = new Date(Math.floor(now() / (2 * HOUR)) * 2 * HOUR - 21 * DAY)
  const { promise, resolve } = Promise.withResolvers<number>()
  const explaining = {
    one: async (query: Parameters<typeof pool.one>[0]) => {
      const plan = z.object({ 'QUERY PLAN': z.custom<readonly [{ readonly Plan: PlanNode }]>() })
      const [{ Plan }] = await pool.oneFirst(sql.type(plan)`EXPLAIN (ANALYZE, FORMAT JSON) ${query}`)
      resolve(rowsRead(Plan))
      return pool.one(query)
    },
  }
  expect((await readBuckets(explaining as unknown as Db, id, from)).length).toBeGreaterThanOrEqual(250)
  // 253 buckets, and the scans of the two hours that have no bucket yet. All scans would be 30,000.
  expect(await promise).toBeLessThan(1_000)
  const history = await ask(pair.symbol, caller.account_id, 90)
  expect(history.buckets.length).toBeGreaterThanOrEqual(250)
  expect(history.buckets.length).toBeLessThan(260)
  expect(history.health.ok / history.health.expected).toBeGreaterThan(0.95)
})

it('deletes buckets older than the longest history', async () => {
  await rig.context.pool.query(sql.unsafe`UPDATE scan_bucket SET bucket = bucket - interval '85 days'
    WHERE bucket IN (SELECT bucket FROM scan_bucket ORDER BY bucket LIMIT 5)`)
  await rig.run('bucketScans')
  const old = await rig.context.pool.oneFirst(sql.type(z.object({ old: z.number() }))`
    SELECT count(*)::int AS old FROM scan_bucket WHERE bucket < ${new Date(now() - 91 * DAY).toISOString()}`)
  expect(old).toBe(0)
})
