import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { contracts } from '@svc/contracts/all'
import { openPool, sql, type Pool } from '@svc/postgres'
import { startReplayExchange, type ReplayExchange } from '@svc/replay-exchange'
import { eventually, testStack, type TestStack } from '@svc/testing'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { unpackEntries, unpackInputs } from '../src/board-codec.ts'
import { computeBoard } from '../src/domain/board.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const VENUES = ['binance', 'gate']
let stack: TestStack
let exchange: ReplayExchange
let pool: Pool
const children = new Set<ChildProcess>()

/** One instance of the service as a process of its own; resolves when it is ready. */
async function startProcess(): Promise<ChildProcess> {
  const child = fork(main, [], {
    env: {
      PATH: process.env['PATH'],
      ...stack.environmentOf('market-data', {
        MARKET_VENUES: VENUES.join(','),
        ...Object.fromEntries(
          VENUES.map((venue) => [`MARKET_VENUE_BASE_URL_${venue.toUpperCase()}`, exchange.venueUrl(venue)]),
        ),
      }),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', (code) => reject(new Error(`ended with ${code}`)))
  })
  return child
}
const kill = async (child: ChildProcess) => {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}
const count = (table: 'board_snapshot' | 'lifecycle_event') =>
  pool.oneFirst(
    sql.type(z.object({ n: z.number() }))`SELECT count(*)::int AS n FROM ${sql.identifier(['market_data', table])}`,
  )
const snapshots = () =>
  pool.any(
    sql.type(
      z.object({
        inputs: z.instanceof(Buffer),
        inputs_sha256: z.string(),
        rows: z.instanceof(Buffer),
        tokens: z.number(),
      }),
    )`SELECT inputs, inputs_sha256, rows, tokens FROM market_data.board_snapshot ORDER BY id`,
  )

beforeAll(async () => {
  stack = await testStack(contracts)
  exchange = await startReplayExchange({ tokens: 40, venues: VENUES, limits: false })
  pool = await openPool(stack.databaseOf('market-data').superuserUrl)
  // Without candles no pair is graded, and a board with ungraded pairs is computed again every few seconds.
  exchange.faults.set('binance', { status: 503, path: 'klines' })
  exchange.faults.set('gate', { status: 503, path: 'candlesticks' })
}, 60_000)
afterEach(async () => {
  await Promise.all([...children].map(kill))
})
afterAll(async () => {
  await pool.end()
  await exchange.stop()
  await stack.stop()
})

it('of two instances one computes the board; killed in the middle it leaves the board before it, and the other goes on', async () => {
  const first = await startProcess()
  await eventually(async () => (await count('board_snapshot')) > 0, { timeoutMs: 30_000 })
  const second = await startProcess()

  // Whoever computes the next board has to stop right before writing it.
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let locked = () => {}
  const isLocked = new Promise<void>((resolve) => (locked = resolve))
  const holding = pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended('market_data.board_snapshot', 0))`)
    locked()
    await released
  })
  await isLocked
  const before = { snapshots: await count('board_snapshot'), steps: await count('lifecycle_event') }
  await eventually(
    async () =>
      (await pool.oneFirst(
        sql.type(
          z.object({ n: z.number() }),
        )`SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND mode = 'ExclusiveLock' AND pid IN
          (SELECT pid FROM pg_stat_activity WHERE query LIKE '%board_snapshot%')`,
      )) === 1,
    { timeoutMs: 60_000, everyMs: 100 },
  )
  await kill(first)
  release()
  await holding
  expect(await count('board_snapshot')).toBe(before.snapshots)
  expect(await count('lifecycle_event')).toBe(before.steps)

  await eventually(async () => (await count('board_snapshot')) > before.snapshots, { timeoutMs: 60_000, everyMs: 100 })
  await kill(second)
  for (const stored of await snapshots()) {
    const inputs = await unpackInputs(stored.inputs, stored.inputs_sha256)
    const entries = await unpackEntries(stored.rows)
    expect(entries.length).toBe(stored.tokens)
    expect(JSON.stringify(computeBoard(inputs))).toBe(JSON.stringify(entries))
  }
  // No step of a token's life is missing or there twice, whoever wrote it.
  const gaps = await pool.any(sql.unsafe`
    SELECT token_id FROM market_data.lifecycle_event GROUP BY token_id HAVING max(seq) <> count(*) OR min(seq) <> 1`)
  expect(gaps).toEqual([])
}, 240_000)
