import { eventually } from '@svc/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from './client.ts'
import { startWorld, type World } from './contract/world.ts'

/** Of all services together; a heartbeat and a look at the outbox of each of nine schemas are eighteen. */
const TRANSACTIONS_PER_SEC = 35
const SPAN_SEC = 20

let world: World
let db: pg.Client

beforeAll(async () => {
  world = await startWorld()
  db = new pg.Client({ connectionString: world.databaseUrl })
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await world?.stop()
}, 60_000)

/** Transactions of the platform's database since it was made, and when that was read. */
async function counted(): Promise<{ readonly transactions: number; readonly at: number }> {
  const { rows } = await db.query(`
    SELECT (xact_commit + xact_rollback)::float8 AS transactions, extract(epoch FROM clock_timestamp())::float8 AS at
    FROM pg_stat_database WHERE datname = current_database()`)
  return rows[0] as { transactions: number; at: number }
}

test('a platform that is left alone waits for its next work instead of looking for it', async () => {
  await eventually(async () => (await ask(world.url, '/board?limit=1')).body.pending === false, {
    timeoutMs: 100_000,
    everyMs: 500,
  })
  const before = await counted()
  const after = await eventually(
    async () => {
      const now = await counted()
      return now.at - before.at >= SPAN_SEC ? now : false
    },
    { timeoutMs: 60_000, everyMs: 1_000 },
  )
  if (after === false) throw new Error('the time is not over')
  expect((after.transactions - before.transactions) / (after.at - before.at)).toBeLessThan(TRANSACTIONS_PER_SEC)
}, 180_000)
