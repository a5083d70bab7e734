import { contracts } from '@svc/contracts/all'
import { openPool, sql } from '@svc/postgres'
import { startReplayExchange } from '@svc/replay-exchange'
import { eventually, opened, testStack } from '@svc/testing'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { unpackEntries, unpackInputs } from '#board/board-codec.ts'
import { computeBoard } from '#board/rules/board.ts'
import { hold, serviceProcesses } from '../service-processes.ts'

const VENUES = ['binance', 'gate']
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

const stack = opened(() => testStack(contracts, ['market-data']))
const exchange = opened(() => startReplayExchange({ tokens: 40, venues: VENUES, limits: false, speed: 6 }))
const pool = opened(() => openPool(stack.databaseOf('market-data').superuserUrl))
const processes = serviceProcesses(stack, exchange, VENUES)
beforeAll(() => {
  // Without candles no pair is graded, and a board with ungraded pairs is computed again every few seconds.
  exchange.faults.set('binance', { status: 503, path: 'klines' })
  exchange.faults.set('gate', { status: 503, path: 'candlesticks' })
})
afterEach(() => processes.killAll())

it('of two processes one computes the board; if it is killed while computing, the board before stays and the other process continues', async () => {
  const first = await processes.start()
  await eventually(async () => (await count('board_snapshot')) > 0)
  const second = await processes.start()

  // Whoever computes the next board has to stop right before writing it.
  const release = await hold(
    pool,
    sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended('market_data.board_snapshot', 0))`,
  )
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
    { everyMs: 100 },
  )
  // The other process takes over at once: it stands still until it is seen that the killed one left nothing.
  second.kill('SIGSTOP')
  await processes.kill(first)
  await release()
  expect(await count('board_snapshot')).toBe(before.snapshots)
  expect(await count('lifecycle_event')).toBe(before.steps)
  second.kill('SIGCONT')

  await eventually(async () => (await count('board_snapshot')) > before.snapshots, { everyMs: 100 })
  await processes.kill(second)
  for (const stored of await snapshots()) {
    const inputs = await unpackInputs(stored.inputs, stored.inputs_sha256)
    const entries = await unpackEntries(stored.rows)
    expect(entries.length).toBe(stored.tokens)
    expect(JSON.stringify(computeBoard(inputs))).toBe(JSON.stringify(entries))
  }
  // No step of a token's life is missing or stored twice, whichever process wrote it.
  const gaps = await pool.any(sql.unsafe`
    SELECT token_id FROM market_data.lifecycle_event GROUP BY token_id HAVING max(seq) <> count(*) OR min(seq) <> 1`)
  expect(gaps).toEqual([])
})
