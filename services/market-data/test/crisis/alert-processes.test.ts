import { contracts } from '@svc/contracts/all'
import { openPool, sql } from '@svc/postgres'
import { startReplayExchange } from '@svc/replay-exchange'
import { eventually, opened, testStack } from '@svc/testing'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { startNeighbours } from '../neighbours.ts'
import { hold, serviceProcesses } from '../service-processes.ts'

const VENUES = ['binance', 'gate']
const FALLEN = 12
const SLOW = { everyMs: 100 }
/** Speed of the services' and the venues' clock. */
const SPEED = 6

const number = z.object({ n: z.number() })
const count = (table: 'crisis_episode' | 'arbitrage_pass') =>
  pool.oneFirst(sql.type(number)`SELECT count(*)::int AS n FROM ${sql.identifier(['market_data', table])}`)
/** Processes that have written a row of the table, and wait in the same transaction to tell of it. */
const waitingToTell = (table: 'crisis_episode' | 'arbitrage_pass') =>
  pool.oneFirst(sql.type(number)`
    SELECT count(*)::int AS n FROM pg_locks AS wrote JOIN pg_locks AS waits USING (pid)
    WHERE wrote.relation = ${`market_data.${table}`}::regclass AND wrote.mode = 'RowExclusiveLock'
      AND waits.relation = 'market_data.outbox'::regclass AND NOT waits.granted`)
const listed = () =>
  pool.oneFirst(sql.type(number)`
    SELECT count(*)::int AS n FROM market_data.token WHERE exchange = 'binance' AND quote = 'USDT'`)
const holdOutbox = () => hold(pool, sql.unsafe`LOCK TABLE market_data.outbox IN SHARE MODE`)

const stack = opened(() => testStack(contracts, ['market-data']))
const exchange = opened(() => startReplayExchange({ tokens: 60, venues: VENUES, limits: false, speed: SPEED }))
const pool = opened(() => openPool(stack.databaseOf('market-data').superuserUrl))
const neighbours = opened(() => startNeighbours(stack))
const processes = serviceProcesses(stack, exchange, VENUES, { MARKET_LOCAL_BUDGET_FACTOR: '1000' })
afterEach(() => processes.killAll())

it('a process that is killed between storing and publishing a pass of arbitrage leaves neither; the other process does both once', async () => {
  const release = await holdOutbox()
  const first = await processes.start()
  await eventually(async () => (await waitingToTell('arbitrage_pass')) === 1, SLOW)
  await processes.start()
  await processes.kill(first)
  expect(await count('arbitrage_pass')).toBe(0)
  await release()
  await eventually(async () => (await count('arbitrage_pass')) >= 1, SLOW)
  const passes = await pool.anyFirst(sql.type(z.object({ at: z.string() }))`
    SELECT computed_at AS at FROM market_data.arbitrage_pass ORDER BY minute`)
  for (const feed of ['arbitrage_2cex', 'arbitrage_3cex'] as const) {
    const told = () => neighbours.told(feed).map((item) => item['computed_at'])
    // Another pass may be stored by now: what counts is that those seen are told, each once.
    await eventually(() => passes.every((at) => told().includes(at)), SLOW)
    expect(new Set(told()).size).toBe(told().length)
  }
})

it('a process that is killed while storing the alerts of a minute leaves none of them; the next process publishes each once', async () => {
  await processes.start()
  await eventually(async () => (await listed()) > 40, SLOW)
  await processes.killAll()
  // From now on no price comes but the stored ones: an even market in which some fell by a third half an hour ago.
  exchange.faults.set('binance', { status: 503, path: 'ticker' })
  exchange.faults.set('gate', { status: 503, path: 'ticker' })
  await pool.query(
    sql.unsafe`TRUNCATE market_data.observation, market_data.crisis_checkpoint, market_data.crisis_episode CASCADE`,
  )
  await pool.query(sql.unsafe`UPDATE market_data.crisis_watch SET minute = NULL`)
  const now = new Date(exchange.clock.now()).toISOString()
  await pool.query(sql.unsafe`
    WITH listed AS (
      SELECT instance_id, row_number() OVER (ORDER BY instance_id) AS place
      FROM market_data.token JOIN market_data.token_instance USING (instance_id, token_id)
      WHERE exchange = 'binance' AND quote = 'USDT' AND trading = 'trading' AND base !~ '(UP|DOWN|BULL|BEAR|[2-9][LS])$|USD|DAI')
    INSERT INTO market_data.observation (exchange, minute, instance_ids, price, spread_bps, volume_24h_usd, change_24h_pct, depth_2pct_usd)
    SELECT 'binance', date_trunc('minute', ${now}::timestamptz) - ago * interval '1 minute', array_agg(instance_id ORDER BY place),
      array_agg(CASE WHEN place <= ${FALLEN} AND ago <= 30 THEN 66 ELSE 100 END::float8 ORDER BY place), array_agg(5::real), array_agg(1e6::float8),
      array_agg(0::real), array_agg(NULL::float8)
    FROM listed, generate_series(5, 174) AS ago GROUP BY ago`)
  const release = await holdOutbox()
  const first = await processes.start()
  await eventually(async () => (await waitingToTell('crisis_episode')) === 1, SLOW)
  await processes.start()
  await processes.kill(first)
  expect(await count('crisis_episode')).toBe(0)
  await release()
  await eventually(async () => (await count('crisis_episode')) > 0, SLOW)
  // All alerts of the minute are one transaction.
  expect(await count('crisis_episode')).toBe(FALLEN)
  // A third one judges all of it again, for nothing was remembered yet.
  await processes.killAll()
  await processes.start()
  const judged = () =>
    pool.oneFirst(sql.type(number)`
      SELECT count(*)::int AS n FROM market_data.crisis_watch
      WHERE minute = (SELECT max(minute) FROM market_data.observation)`)
  await eventually(async () => (await judged()) === 1, SLOW)
  const opened = () => neighbours.told('crisis_alerts').filter((item) => item['change'] === 'opened')
  await eventually(() => opened().length >= FALLEN, SLOW)
  expect(new Set(opened().map((item) => item['episode_id'])).size).toBe(opened().length)
  const episodes = await pool.anyFirst(sql.type(z.object({ id: z.string() }))`
    SELECT 'cri_' || id AS id FROM market_data.crisis_episode`)
  expect(new Set(opened().map((item) => item['episode_id']))).toEqual(new Set(episodes))
})
