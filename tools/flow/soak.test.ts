import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { schemaOf } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { startReplayExchange, type ReplayExchange } from '@svc/replay-exchange'
import { freePort } from '@svc/servers'
import { eventually } from '@svc/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { preparePlatform, type Prepared } from '../dev/platform.ts'
import { nodeOptions } from '../dev/services.ts'
import { ask } from './client.ts'
import { registerAgent, type Agent } from './people.ts'
import type { SoakSample, SoakStart } from './soak-process.ts'

const LONG = process.env['TEST_LONG'] === '1'
const SPEED = 100
const RUN_MS = LONG ? 3_600_000 : 60_000
const SAMPLE_MS = LONG ? 20_000 : 2_000
/** After so much of the run windows are full in the long form, and all code has run. */
const SETTLED_SHARE = LONG ? 0.3 : 0.4
const VENUES = ['binance', 'gate', 'kucoin']
/** An event waits so long at most, takeover included, seconds. */
const OUTBOX_AGE_MAX = 15

let dataDir: string
let exchange: ReplayExchange
let platform: Prepared
let db: pg.Client
const children = new Set<ChildProcess>()

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'svc-soak-'))
  exchange = await startReplayExchange({ tokens: 40, speed: SPEED, limits: false, venues: VENUES })
  const venues = { kind: 'live', venues: VENUES } as const
  platform = await preparePlatform({ dataDir, publicUrl: 'http://127.0.0.1:9', durable: false, chain: LONG, venues })
  const database = new URL(platform.servers.postgres.url)
  database.pathname = '/platform'
  db = new pg.Client({ connectionString: database.href })
  await db.connect()
}, 120_000)
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await db?.end()
  await platform?.servers.stop()
  await exchange?.stop()
  rmSync(dataDir, { recursive: true, force: true })
}, 60_000)

/** Starts all services in a process of their own, by the fast clock; resolves with it and its address when it is ready. */
async function startAll(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const port = await freePort()
  const addresses = VENUES.map((venue) => [`MARKET_VENUE_BASE_URL_${venue.toUpperCase()}`, exchange.venueUrl(venue)])
  const more = {
    SVC_PORT: String(port),
    SVC_INTERNAL_PORT: '0',
    SVC_LOG_LEVEL: 'silent',
    SVC_OPEN_LIMIT_MINUTE: '1000000',
    SVC_OPEN_LIMIT_DAY: '10000000',
    SVC_DAILY_LIMIT_FREE: '1000000',
  }
  const ofMarketData = { ...Object.fromEntries(addresses), MARKET_LOCAL_BUDGET_FACTOR: '1000' }
  const environments = Object.fromEntries(
    contracts.map(({ name }) => [
      name,
      platform.environmentOf(name, { ...more, ...(name === 'market-data' ? ofMarketData : {}) }),
    ]),
  )
  const child = fork(fileURLToPath(new URL('./soak-process.ts', import.meta.url)), [], {
    execArgv: ['--expose-gc', ...nodeOptions],
    env: { PATH: process.env['PATH'] },
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  const told: SoakStart = { environments, at: exchange.clock.now(), real: Date.now(), speed: SPEED }
  child.send(told)
  await once(child, 'message')
  return { child, url: `http://127.0.0.1:${port}` }
}

async function sampleOf(child: ChildProcess): Promise<SoakSample & { connections: number; outboxAge: number }> {
  child.send('sample')
  const [sample] = (await once(child, 'message')) as [SoakSample]
  const outboxes = contracts
    .filter((contract) => contract.postgres)
    .map(({ name }) => `SELECT created_at FROM ${schemaOf(name)}.outbox`)
  const { rows } = await db.query(`
    SELECT (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS connections,
      (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 FROM (${outboxes.join(' UNION ALL ')}) AS waiting) AS age`)
  return { ...sample, connections: rows[0].connections, outboxAge: rows[0].age }
}

/** Growth a sample with the half width of its 95 % interval: least squares over equal steps. */
function slopeOf(values: readonly number[]): { readonly slope: number; readonly half: number } {
  const n = values.length
  const [middle, mean] = [(n - 1) / 2, values.reduce((sum, value) => sum + value, 0) / n]
  const spread = values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
  const slope = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0) / spread
  const rest = values.reduce((sum, value, at) => sum + (value - mean - slope * (at - middle)) ** 2, 0)
  return { slope, half: 2.1 * Math.sqrt(rest / Math.max(1, n - 2) / spread) }
}

/** What callers do all the time; a refusal or an outage is an answer, a bug is not. */
async function traffic(url: string, agents: Agent[], round: number): Promise<void> {
  if (round % 5 === 0)
    await registerAgent(url, `soak ${round}`).then(
      (agent) => agents.push(agent),
      (error: unknown) => expect(String(error)).toContain('temporarily_unavailable'),
    )
  const key = agents[round % agents.length]?.key
  const keyed = key === undefined ? {} : { key }
  const paths = ['/board?limit=20', '/agent/mining/balance', '/alerts/crisis', '/arbitrage', '/subscriptions/status']
  await Promise.all(paths.map(async (path) => expect((await ask(url, path, keyed)).status, path).not.toBe(500)))
}

test(
  'hours of work, with processes killed and frozen beside it, leave listeners, handles and connections as they were and the heap in bounds',
  async () => {
    const { child, url } = await startAll()
    let other = startAll()
    const strike = async (signal: NodeJS.Signals) => (await other).child.kill(signal)
    const samples: Awaited<ReturnType<typeof sampleOf>>[] = []
    const agents: Agent[] = []
    await other
    const ends = Date.now() + RUN_MS
    for (let round = 0; Date.now() < ends; round += 1) {
      const next = Date.now() + SAMPLE_MS
      if (round % 10 === 3) await strike('SIGSTOP')
      if (round % 10 === 6) await strike('SIGCONT')
      if (round % 10 === 8) {
        await strike('SIGKILL')
        // Not waited for: samples go on while it starts.
        other = startAll()
      }
      await traffic(url, agents, round)
      samples.push(await sampleOf(child))
      await delay(Math.max(0, next - Date.now()))
    }
    const settled = samples.slice(Math.floor(samples.length * SETTLED_SHARE))
    for (const figure of [...(LONG ? (['heapMb'] as const) : []), 'listeners', 'handles', 'connections'] as const) {
      const values = settled.map((one) => one[figure])
      const { slope, half } = slopeOf(values)
      expect(slope - half, `${figure}: ${values.map(Math.round).join(' ')}`).toBeLessThanOrEqual(0)
    }
    // In the short form windows of a day are still filling: the heap is only kept from running away.
    const [first, last] = [settled[0], settled.at(-1)]
    expect((last?.heapMb ?? Infinity) / (first?.heapMb ?? 1)).toBeLessThan(1.15)
    expect(Math.max(...settled.map(({ outboxAge }) => outboxAge))).toBeLessThan(OUTBOX_AGE_MAX)
    await eventually(async () => expect((await sampleOf(child)).outboxAge).toBe(0), { everyMs: 250 })
  },
  RUN_MS + 300_000,
)
