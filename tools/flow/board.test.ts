import { eventually, opened } from '@svc/testing'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { HANG_MS, runShell } from '../check/run-shell.ts'
import { ask } from './client.ts'
import { startWorld } from './contract/world.ts'
import { registerAgent, type Agent } from './people.ts'

/** Of all services together; the heartbeat and the outbox check of each of eleven schemas are twenty-two of them. */
const TRANSACTIONS_PER_SEC = 39
const SPANS = 6
const SPANS_MAX = 15
const SPAN_SEC = 4

let agent: Agent

const world = opened(() => startWorld({}, { venues: { kind: 'replay', tokens: 60 } }))
beforeAll(async () => {
  agent = await registerAgent(world.url)
})

const board = (query: string, key?: string) => ask(world.url, `/board${query}`, key === undefined ? {} : { key })

describe('the board of the replay exchange', () => {
  test('is served within the first minute, says that it is a replay, and finds a risky token', async () => {
    await eventually(
      async () => {
        const { body } = await board('?limit=1')
        return body.pending === false && body.source === 'replay'
      },
      { everyMs: 500 },
    )
    await eventually(
      async () => {
        const { body } = await ask(world.url, '/risk/bottom?percent=5', { key: agent.key })
        return body.tokens.length > 0 && body.tokens[0].risk.score >= 50
      },
      { everyMs: 500 },
    )
  })

  test('has 100 rows without a key and up to 2500 with one', async () => {
    expect((await board('?limit=2500')).body.tokens.length).toBe(100)
    const { body } = await board('?limit=2500', agent.key)
    expect(body.tokens.length).toBe(body.total)
    expect(body.total).toBeGreaterThan(100)
  })

  test('answers 304 to a caller who has the current snapshot', async () => {
    await eventually(async () => {
      const first = await fetch(`${world.url}/board?limit=5`)
      const again = await fetch(`${world.url}/board?limit=5`, {
        headers: { 'if-none-match': first.headers.get('etag') ?? '' },
      })
      expect([first.status, again.status]).toEqual([200, 304])
      expect(await again.text()).toBe('')
    })
  })

  test('names the member of a query that is wrong', async () => {
    const wrong = [
      ['/board?limit=2501', '/query/limit'],
      ['/board?exchange=Binance', '/query/exchange'],
      ['/board?limt=5', '/query/limt'],
      ['/tokens/search', '/query/q'],
    ] as const
    for (const [path, pointer] of wrong) {
      const { status, body } = await ask(world.url, path)
      expect(status).toBe(400)
      expect(body.errors[0].pointer).toBe(pointer)
    }
    expect((await board('?exchange=nowhere')).body.code).toBe('unknown_exchange')
    expect((await ask(world.url, '/tokens/binance_nope_usdt', { key: agent.key })).body.code).toBe('unknown_token')
    expect((await ask(world.url, '/risk/bottom')).status).toBe(401)
  })

  test(
    'is the same when it is computed again from its stored inputs',
    async () => {
      const output = await runShell(
        `node tools/with-node24.mjs tools/recompute/main.ts --url '${world.databaseUrl}' --all`,
      )
      expect(output).toMatch(/^board \d+ .* 0 differences$/m)
    },
    HANG_MS,
  )
})

/** Returns how many transactions a second the platform's database sees over a span. */
async function transactionsPerSec(db: pg.Client): Promise<number> {
  const counted = async () => {
    const { rows } = await db.query<{ transactions: number; at: number }>(`
      SELECT (xact_commit + xact_rollback)::float8 AS transactions, extract(epoch FROM clock_timestamp())::float8 AS at
      FROM pg_stat_database WHERE datname = current_database()`)
    return rows[0] ?? expect.fail('the database is not counted')
  }
  const before = await counted()
  const after = await eventually(
    async () => {
      const now = await counted()
      expect(now.at - before.at).toBeGreaterThanOrEqual(SPAN_SEC)
      return now
    },
    { everyMs: 500 },
  )
  return (after.transactions - before.transactions) / (after.at - before.at)
}

test('a platform that is left alone waits for its next work instead of polling for it', async () => {
  const db = new pg.Client({ connectionString: world.databaseUrl })
  await db.connect()
  try {
    const rates: number[] = []
    // Scheduled work makes some spans busy, and the first boards of a platform many; polling makes all of them so.
    const median = () => rates.slice(-SPANS).toSorted((a, b) => a - b)[SPANS / 2] ?? Infinity
    while (rates.length < SPANS_MAX && median() >= TRANSACTIONS_PER_SEC) rates.push(await transactionsPerSec(db))
    expect(median(), rates.map((rate) => rate.toFixed(0)).join(' ')).toBeLessThan(TRANSACTIONS_PER_SEC)
  } finally {
    await db.end()
  }
})
