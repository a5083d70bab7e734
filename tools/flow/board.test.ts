import { eventually } from '@svc/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recompute } from '../recompute/recompute.ts'
import { ask } from './client.ts'
import { startWorld, type World } from './contract/world.ts'
import { registerAgent, type Agent } from './people.ts'

let world: World
let agent: Agent

beforeAll(async () => {
  world = await startWorld({ SVC_OPEN_LIMIT_MINUTE: '1000' })
  agent = await registerAgent(world.url)
})
afterAll(() => world.stop(), 60_000)

const board = (query: string, key?: string) => ask(world.url, `/board${query}`, key === undefined ? {} : { key })

describe('board of the replay exchange', () => {
  test('comes within the first minute, says that it is a replay, and finds a risky token', async () => {
    await eventually(
      async () => {
        const { body } = await board('?limit=1')
        return body.pending === false && body.source === 'replay'
      },
      { timeoutMs: 60_000, everyMs: 500 },
    )
    await eventually(
      async () => {
        const { body } = await ask(world.url, '/risk/bottom?percent=5', { key: agent.key })
        return body.tokens.length > 0 && body.tokens[0].risk.score >= 50
      },
      { timeoutMs: 60_000, everyMs: 500 },
    )
  }, 130_000)

  test('gives 100 rows without a key and up to 2500 with one', async () => {
    expect((await board('?limit=2500')).body.tokens.length).toBe(100)
    const { body } = await board('?limit=2500', agent.key)
    expect(body.tokens.length).toBe(body.total)
    expect(body.total).toBeGreaterThan(100)
  })

  test('answers 304 to who has the snapshot already', async () => {
    await eventually(async () => {
      const first = await fetch(`${world.url}/board?limit=5`)
      const again = await fetch(`${world.url}/board?limit=5`, {
        headers: { 'if-none-match': first.headers.get('etag') ?? '' },
      })
      expect([first.status, again.status]).toEqual([200, 304])
      expect(await again.text()).toBe('')
    })
  })

  test('says what is wrong with a question', async () => {
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

  test('can be computed again from its stored inputs without a difference', async () => {
    for (const one of await recompute(world.databaseUrl, 'all')) expect(one).toMatchObject({ differing: [] })
  })
})
