import { contracts } from '@svc/contracts/all'
import { routesOf, type Route } from '@svc/edge'
import { toolsOf, type Tool } from '@svc/mcp'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../client.ts'
import { registerSubscriber, signIn, type Agent } from '../people.ts'
import { sampleInput } from './samples.ts'
import { expectSame, expectTwins, viaTool, type Asked, type Input, type Trace } from './tool-calls.ts'
import type { World } from './world.ts'

let world: World
let agent: Agent
let owner: string

const tools = toolsOf(routesOf(contracts))

/** A tool whose second call finds what the first one made. */
interface Once extends Trace {
  /** Returns a caller with a past of its own and its input; `n` differs between two of them. */
  readonly asked: (n: 0 | 1) => Promise<Asked>
}

const keyed = ({ key }: Agent) => ({ 'x-svc-user-key': key })
const subscriber = () => registerSubscriber(world.url, world.platform.house.admin)
const PAIR = { exchange: 'binance', symbol: 'BTC/USDT' }
const TARGETS = /\.target(_account)?$/

const ONCE: Readonly<Record<string, Once>> = {
  feeds_subscribe: {
    tables: /^subscriptions\.feed_subscription$/,
    asked: async () => ({ credential: keyed(await subscriber()), input: { feed_key: 'crisis_alerts' } }),
  },
  hub_pair: {
    tables: /^identity\.(pairings|policies|policy_changes)$/,
    asked: async () => {
      const { code } = (await ask(world.url, '/hub/agents/pair-code', { token: owner, body: {} })).body
      return { credential: keyed(await subscriber()), input: { code } }
    },
  },
  mining_submit: {
    tables: /^mining\.(submission|evidence)$/,
    // A field of a pair accepts one submission at a time.
    asked: async (n) => ({
      credential: keyed(await subscriber()),
      input: {
        exchange: 'binance',
        symbol: ['LINK/USDT', 'AVAX/USDT'][n],
        entries: [
          { field_name: 'website', field_value: 'https://example.com/', evidence_url: 'https://example.com/about' },
        ],
      },
    }),
  },
  targets_add: { tables: TARGETS, asked: async () => ({ credential: keyed(await subscriber()), input: PAIR }) },
  targets_remove: {
    tables: TARGETS,
    adds: false,
    after: '/agent/targets',
    asked: async () => {
      const { key } = await subscriber()
      const added = await ask(world.url, '/agent/targets/add', { key, body: PAIR })
      expect(added.status).toBe(200)
      return { credential: { 'x-svc-user-key': key }, input: PAIR }
    },
  },
}

/** Members of answers that a clock counts down from call to call. */
const HIDDEN: Readonly<Record<string, ReadonlySet<string>>> = {
  tier_quote: new Set(['quote_id', 'unused_seconds', 'credit', 'charge']),
}

const inputOf = ({ route }: Tool): Input => sampleInput(route, { agent_id: String(agent.id) })

const credentialOf = ({ operation }: Route) =>
  operation.auth === 'owner' ? { authorization: `Bearer ${owner}` } : keyed(agent)

export function toolsSuite(given: () => World): void {
  beforeAll(async () => {
    world = given()
    agent = await subscriber()
    owner = (await signIn(world.url, privateKeyToAccount(generatePrivateKey()))).token
  })

  describe('a tool and its route', () => {
    test.each(tools.filter(({ name }) => !Object.hasOwn(ONCE, name)).map((tool) => [tool.name, tool] as const))(
      '%s answers, counts and stores the same',
      async (_name, tool) => {
        const asked = { credential: credentialOf(tool.route), input: inputOf(tool) }
        await expectSame(world, tool, asked, /./, HIDDEN[tool.name])
      },
    )

    test.each(Object.entries(ONCE))(
      '%s answers, counts and stores the same for two callers who call once each',
      async (name, { asked, ...trace }) => {
        const tool = tools.find((one) => one.name === name)
        if (tool === undefined) throw new Error(`no operation names the tool ${name}`)
        await expectTwins(world, tool, [await asked(0), await asked(1)], trace)
      },
    )

    test('hub_me names each tool that waits for a tier or for the owner of the agent, and what opens it', async () => {
      const me = tools.find(({ name }) => name === 'hub_me') ?? expect.fail('there is no tool hub_me')
      const { content } = await viaTool(world, me, { credential: keyed(agent), input: {} }, crypto.randomUUID())
      const waiting = tools.filter(({ route }) => route.scope === 'tx' && route.operation.auth !== 'owner')
      expect(waiting.length).toBeGreaterThan(1)
      const route = 'POST /hub/agents/{agent_id}/keys/{key_id}/scopes'
      const human_action = { who: 'owner', url: '/ui/agent', route }
      expect(content['locked']).toEqual([
        { tool: 'arbitrage_multi', needs: 'Tier 2', fix: expect.stringContaining('(tool tier_buy)') },
        ...waiting.map(({ name: tool }) => ({ tool, needs: 'scope tx', human_action })),
      ])
    })
  })
}
