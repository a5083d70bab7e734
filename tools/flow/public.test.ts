import { rmSync } from 'node:fs'
import type { LocalChain } from '../dev/chain.ts'
import { freePort, withClient } from '@svc/servers'
import type { Operation } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { tellingServices } from '@svc/contracts/gallery/status'
import { eventually, opened } from '@svc/testing'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HANG_MS, runShell } from '../check/run-shell.ts'
import { openStage } from '../demo/chain-stage.ts'
import { publishTemplate } from '../demo/public/listings.ts'
import { publicDay } from '../demo/public/public-day.ts'
import { createWalk } from '../demo/walk.ts'
import { keepHistory, keptHistory, runnerSettings } from '../dev/history/kept.ts'
import { beginningOf, playHistory } from '../dev/history/play.ts'
import { VENUE_TOKEN, type LegVenue } from '../dev/leg-venue.ts'
import { preparePlatform } from '../dev/platform.ts'
import { startInProcess } from '../dev/services.ts'
import { ONE_VENUE } from '../dev/venues.ts'
import { ask } from './client.ts'
import { rawClient } from './contract/http.ts'
import { newDataFolder } from './data-folder.ts'
import { hireByTool } from './hire-by-tool.ts'

/** Two agents are ranked; the mandate of another ended after 12 days, and one agent came too late. */
const SIZE = { agents: 4, days: 15 }
const LIMITS = { SVC_OPEN_LIMIT_MINUTE: '100000', SVC_LOG_LEVEL: 'silent' }

const world = opened(async () => {
  const dataDir = newDataFolder('public')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const chainSince = beginningOf(SIZE, new Date())
  const platform = await preparePlatform({
    dataDir,
    publicUrl: url,
    durable: false,
    chain: true,
    chainSince,
    leg: true,
    venues: ONE_VENUE,
  })
  const history = await playHistory(platform, { size: SIZE, onStep: () => {} })
  keepHistory(platform.servers.folder, history)
  const more = { ...runnerSettings(history), ...LIMITS, SVC_PORT: String(port), SVC_GATEWAY_URL: url }
  const running = await startInProcess(platform, () => more)
  return {
    url,
    platform,
    history,
    stop: async () => {
      await running.stop()
      await platform.servers.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
})
beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

function local(): { chain: LocalChain; venue: LegVenue } {
  const { chain, legVenue: venue } = world.platform
  if (chain === null || venue === null) throw new Error('the world has no chain or no venue')
  return { chain, venue }
}

test('after a history the Hall has every agent of the past, ranked by days and trades, from the first request on', async () => {
  const { body: hall } = await ask(world.url, '/hub/hall?limit=100')
  expect(hall).toMatchObject({ pending: false, stale: false })
  const ids = [...world.history.agents.map(({ agentId }) => agentId), world.history.runner.agentId]
  expect(new Set(hall.items.map(({ agent_id }: { agent_id: number }) => agent_id))).toEqual(new Set(ids))
  const ranked = hall.items.filter((row: { ranked: boolean }) => row.ranked)
  expect(ranked.length).toBe(2)
  for (const row of ranked) {
    expect(row.days_live).toBeGreaterThanOrEqual(14)
    expect(row.trades).toBeGreaterThanOrEqual(10)
    expect(row.worth_change_low_bps).toBeLessThanOrEqual(row.worth_change_bps)
    expect(row.worth_change_high_bps).toBeGreaterThanOrEqual(row.worth_change_bps)
  }
  const { body: page } = await ask(world.url, `/hub/hall/${ranked[0].agent_id}`)
  // A closing a day: the series has no gap.
  expect(page.series.values.length).toBeGreaterThanOrEqual(14)
  expect(page.series.values).not.toContain(null)
  expect(keptHistory(world.platform.servers.folder)).toEqual(world.history)
})

test('the public side goes as the documents say: Hall, template, adoption, hire, signals followed once, paid reads', async () => {
  const { chain, venue } = local()
  const walk = createWalk(world.url, { keyed: true })
  const token = world.platform.servers.secrets.password(VENUE_TOKEN)
  const scene = {
    stage: openStage(chain, walk),
    walk,
    wallets: chain.wallets,
    venue: { url: venue.url, token },
    house: world.platform.house,
    history: world.history,
    seed: world.platform.servers.secrets.password('history'),
    deploymentFile: chain.deploymentFile,
    folder: world.platform.servers.folder.file('demo'),
  }
  const day = await publicDay(scene)
  expect(walk.steps()).toBeGreaterThan(40)
  const client = rawClient(world.url)
  const at = { url: world.url, send: client.send, databaseUrl: databaseUrl() }
  await hireByTool(at, day, await publishTemplate(scene, day.seller))
  client.close()
})

test(
  'the command of the demo plays the public side on this platform, as on one of npm start',
  async () => {
    const { chain, venue } = local()
    const { folder } = world.platform.servers
    const written = { pid: process.pid, url: world.url, chain: chain.url, leg_venue: venue.url }
    folder.write('platform.json', JSON.stringify(written))
    const output = await runShell(`npm run demo -- public --data ${folder.file('.')}`)
    expect(output).toMatch(/The public side went as the documents say: \d+ steps/)
  },
  HANG_MS,
)

function databaseUrl(): string {
  const url = new URL(world.platform.servers.postgres.url)
  url.pathname = '/platform'
  return url.href
}

test('the door, the skill and the tools of agents are printed from the routes, and a tool answers what its route answers', async () => {
  const door = await ask(world.url, '/hub/door')
  expect([door.status, door.headers.get('x-hub-door')]).toEqual([402, 'mandate'])
  expect(door.body.steps.map(({ tool }: { tool: string }) => tool)).toContain('hub_pair')
  expect(door.body.schema.required).toContain('budget_usdc')
  const offer = JSON.parse(Buffer.from(door.headers.get('payment-required') ?? '', 'base64').toString())
  expect(offer.accepts).toMatchObject([{ scheme: 'svc-mandate', amount: '0', network: 'eip155:31337' }])
  const skill = await (await fetch(`${world.url}/hub/skill.md`)).text()
  expect(Buffer.byteLength(skill)).toBeLessThan(6_144)
  expect(skill).toContain('HUB_DOOR_ENABLED: on')

  const client = new Client({ name: 'a harness', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.url}/mcp?profile=full`)))
  const { tools } = await client.listTools()
  const listed = (await ask(world.url, '/hub/mcp-tools')).body.items
  expect(tools.map(({ name }) => name)).toEqual(listed.map(({ name }: { name: string }) => name))
  const declared = contracts.flatMap(({ operations }) => Object.values(operations as Record<string, Operation>))
  expect(new Set(tools.map(({ name }) => name))).toEqual(new Set(declared.flatMap(({ tool }) => tool ?? [])))
  const result = await client.callTool({ name: 'mandate_markets', arguments: {} })
  expect(result.structuredContent).toEqual((await ask(world.url, '/hub/markets')).body)
  await client.close()
})

const SECRETS = `
  WITH hidden AS (SELECT id, public_id, owner_wallet FROM mandates.mandate WHERE owner_id IS NOT NULL AND NOT public_proof)
  SELECT public_id AS secret FROM hidden
  UNION SELECT lower(owner_wallet) FROM hidden WHERE owner_wallet IS NOT NULL
  UNION SELECT lower(v.address) FROM hidden JOIN mandates.vault v ON v.mandate_id = hidden.id
  UNION SELECT lower(v.creation_tx) FROM hidden JOIN mandates.vault v ON v.mandate_id = hidden.id
  -- Amounts that are no round figures, as they would be written.
  UNION SELECT trim(trailing '0' FROM (w.worth / 1000000.0)::numeric(30, 6)::text)
    FROM hidden JOIN mandates.worth w ON w.mandate_id = hidden.id WHERE w.worth % 100 <> 0`

const SHOWN = `
  SELECT lower(v.address) AS secret FROM mandates.mandate m JOIN mandates.vault v ON v.mandate_id = m.id WHERE m.public_proof`

/** Paths of an open route with everything that strangers can name. */
function pathsOf(http: string, known: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const path = http.slice('GET '.length)
  const [, name = ''] = /\{(\w+)\}/.exec(path) ?? []
  if (name === '') return path === '/hub/agents/records' ? [`${path}?ids=${known['agent_id']?.join(',')}`] : [path]
  return (known[name] ?? []).flatMap((value) => pathsOf(http.replace(`{${name}}`, encodeURIComponent(value)), known))
}

test('no open route names an owner, a vault, a mandate or an amount of a mandate without public_proof', async () => {
  const { agents, runner } = world.history
  const { items } = (await ask(world.url, '/hub/gallery')).body
  const known = {
    agent_id: [...agents.map(({ agentId }) => agentId), runner.agentId].map(String),
    listing_id: items.map(({ listing_id }: { listing_id: string }) => listing_id),
    exchange: ['binance'],
    symbol: ['BTC/USDT'],
    sym: ['BTC'],
  }
  const read = (query: string) =>
    withClient(databaseUrl(), async (client) =>
      (await client.query<{ secret: string }>(query)).rows.map(({ secret }) => secret),
    )
  const [secrets, shown] = await Promise.all([read(SECRETS), read(SHOWN)])
  const operations: readonly Operation[] = contracts.flatMap((one) => Object.values(one.operations))
  const open = operations.flatMap(({ auth, http }) => (auth === 'open' && http?.startsWith('GET ') ? [http] : []))
  const bodies = new Map<string, string>()
  for (const http of open)
    for (const path of pathsOf(http, known)) {
      const response = await fetch(new URL(path, world.url), { signal: AbortSignal.timeout(600_000) })
      bodies.set(`${response.status} ${path}`, (await response.text()).toLowerCase())
    }
  const answered = [...bodies.keys()].filter((key) => key.startsWith('200 /hub/'))
  expect(answered.length).toBeGreaterThan(20)
  expect(secrets.length).toBeGreaterThan(40)
  // What the owner signed to show is found the same way.
  expect(shown.some((vault) => [...bodies.values()].some((body) => body.includes(vault)))).toBe(true)
  const leaks = [...bodies].flatMap(([path, body]) =>
    secrets.filter((secret) => body.includes(secret)).map((secret) => `${path}: ${secret}`),
  )
  expect(leaks).toEqual([])
})

test('the status page hears of the workers of every service that tells of them', async () => {
  type Told = readonly {
    readonly service: string
    readonly worker: string
    readonly mode: string
    readonly state: string
  }[]
  // The services of the history told of their workers too; those that run now tell of theirs every half minute.
  await eventually(
    async () => {
      const { workers }: { workers: Told } = (await ask(world.url, '/hub/status/workers')).body
      expect(new Set(workers.map(({ service }) => service))).toEqual(new Set(tellingServices))
      const of = (name: string) => workers.find(({ worker }) => worker === name)
      expect(of('followSignals')).toMatchObject({ service: 'gallery', mode: 'live' })
      expect(of('sendAlerts')).toMatchObject({ service: 'mandates', mode: 'dry' })
      expect(workers.filter(({ state }) => state === 'late')).toEqual([])
    },
    { everyMs: 500 },
  )
})
