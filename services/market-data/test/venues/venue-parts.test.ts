import type { ChildProcess } from 'node:child_process'
import { contracts } from '@svc/contracts/all'
import { openPool, sql } from '@svc/postgres'
import { startReplayExchange } from '@svc/replay-exchange'
import { eventually, opened, testStack } from '@svc/testing'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { serviceProcesses } from '../service-processes.ts'

const LONG = process.env['TEST_LONG'] === '1'
/** Speed of the clock of services and venues. Only in a slow minute a takeover ends before the minute does. */
const SPEED = LONG ? 3 : 20
/** All of them publish announcements. */
const VENUES = ['binance', 'bithumb', 'kucoin', 'mexc']
/** Those that return deeper books. */
const DEEP = ['binance', 'mexc']
const SLOW = { everyMs: 50 }
/** A pair is known to need a deeper book when its usual one was read again, within five minutes of the market. */
const ROUND = { everyMs: 100 }

const stack = opened(() => testStack(contracts, ['market-data']))
const exchange = opened(() => startReplayExchange({ tokens: 30, venues: VENUES, limits: false, speed: SPEED }))
const pool = opened(() => openPool(stack.databaseOf('market-data').superuserUrl))
const processes = serviceProcesses(stack, exchange, VENUES, { MARKET_LOCAL_BUDGET_FACTOR: '1000' })

/** Sessions that hold venues, with the number of venues of each, most first. */
const holders = () =>
  pool.anyFirst(sql.type(z.object({ held: z.number() }))`
    SELECT count(*)::int AS held FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND mode = 'ExclusiveLock'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) GROUP BY pid ORDER BY 1 DESC`)
const minutes = () =>
  pool.any(sql.type(z.object({ exchange: z.string(), minutes: z.number(), span: z.number(), writes: z.number() }))`
    WITH later AS (
      SELECT written.* FROM market_data.written
      WHERE minute > (SELECT min(minute) FROM market_data.written AS first WHERE first.exchange = written.exchange))
    SELECT exchange, count(DISTINCT minute)::int AS minutes, count(*)::int AS writes,
      (extract(epoch FROM max(minute) - min(minute)) / 60 + 1)::int AS span
    FROM later GROUP BY exchange ORDER BY exchange`)
/** Resolves when every venue has more minutes than before. */
async function observedOn(more: number): Promise<void> {
  const before = new Map((await minutes()).map((one) => [one.exchange, one.minutes]))
  await eventually(async () => {
    const now = await minutes()
    return VENUES.every(
      (venue) => (now.find((one) => one.exchange === venue)?.minutes ?? 0) >= (before.get(venue) ?? 0) + more,
    )
  }, SLOW)
}

/** Venues whose announcements were read after a time, and venues with a later depth of bitcoin that is no lower bound. */
const readSince = (time: string) =>
  pool.one(sql.type(z.object({ announcements: z.array(z.string()), whole: z.array(z.string()) }))`
    SELECT
      ARRAY(SELECT exchange FROM market_data.venue WHERE announcements_read_at > ${time}::timestamptz ORDER BY 1) AS announcements,
      ARRAY(
        SELECT DISTINCT o.exchange FROM market_data.observation AS o
        JOIN market_data.token AS t ON t.exchange = o.exchange AND t.symbol = 'BTC/USDT'
        WHERE o.minute > ${time}::timestamptz AND NOT o.depth_truncated[array_position(o.instance_ids, t.instance_id)]
        ORDER BY 1) AS whole`)

/** The other process reads all venues meanwhile, and gives a half back. */
async function freeze(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP')
  await eventually(async () => (await holders()).join() === '4', SLOW)
  await observedOn(1)
  child.kill('SIGCONT')
  await eventually(async () => (await holders()).join() === '2,2', SLOW)
  await observedOn(1)
}

beforeAll(async () => {
  // Each write of an observation, also one that replaces another.
  await pool.query(sql.unsafe`CREATE TABLE market_data.written (exchange text, minute timestamptz)`)
  await pool.query(sql.unsafe`
    CREATE FUNCTION market_data.note_written() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      INSERT INTO market_data.written VALUES (NEW.exchange, NEW.minute); RETURN NULL; END $$`)
  await pool.query(sql.unsafe`
    CREATE TRIGGER note_written AFTER INSERT OR UPDATE ON market_data.observation
      FOR EACH ROW EXECUTE FUNCTION market_data.note_written()`)
})

it('processes share the venues, and through the end of one every minute of a venue is observed once', async () => {
  const first = await processes.start()
  await eventually(async () => (await holders()).join() === '4', SLOW)
  const second = await processes.start()
  await eventually(async () => (await holders()).join() === '2,2', SLOW)
  // The process that leads the schema reads only its own venues: the other one reads all of its venues' things too.
  const since = new Date(exchange.clock.now()).toISOString()
  await eventually(async () => expect(await readSince(since)).toEqual({ announcements: VENUES, whole: DEEP }), ROUND)
  if (LONG) await processes.start()
  await observedOn(1)
  await processes.kill(first)
  await observedOn(1)
  if (LONG) await freeze(second)
  for (const { exchange: venue, minutes: seen, span, writes } of await minutes()) {
    expect(writes, `${venue}: minutes observed twice`).toBe(seen)
    if (LONG) expect(seen, `${venue}: minutes not observed`).toBe(span)
  }
  // The board and arbitrage are over all venues, whichever process reads them.
  const [all] = await pool.any(sql.type(z.object({ boards: z.number(), passes: z.number() }))`
    SELECT (SELECT count(*)::int FROM market_data.board_snapshot) AS boards,
      (SELECT count(*)::int FROM market_data.arbitrage_pass) AS passes`)
  expect(all?.boards).toBeGreaterThan(0)
  expect(all?.passes).toBeGreaterThan(0)
})
