import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '@svc/contract'
import { TIMEOUT_MS } from '@svc/hyperliquid'
import { freePort, rpc } from '@svc/servers'
import { metricsText, SILENCE_MS, type Dependency } from '@svc/service'
import { eventually, FakeClock } from '@svc/testing'
import { toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inhibitions } from '#generate/observability/inhibitions.ts'
import { firingAlerts, heardOf, STEP_SEC, type Scrapes } from '#generate/observability/evaluate-rules.ts'
import { NO_LIMITS } from '../../dev/no-limits.ts'
import { preparePlatform, type Prepared } from '../../dev/platform.ts'
import { SERVICES, startInProcess, type Running } from '../../dev/services.ts'
import { ONE_VENUE } from '../../dev/venues.ts'
import { ask, type Answer } from '../client.ts'
import { newDataFolder } from '../data-folder.ts'
import { query } from '../lose-streams.ts'
import { registerAgent, type Agent } from '../people.ts'
import { ALERT_OF, QUORUM_ALERT } from './alert-of.ts'
import { productionSettings, productionSwitches, seriesOfCluster } from './production.ts'
import { FAULTS, startProxy, type Proxy } from './proxy.ts'

const LONG = process.env['TEST_LONG'] === '1'

const SYSTEMS = Object.keys(ALERT_OF) as Dependency[]
const OWN: ReadonlySet<string> = new Set(Object.values(ALERT_OF))
/** What cannot be asked without another system. */
const NEEDS: Partial<Record<Dependency, readonly Dependency[]>> = {
  postgres: ['exchange', 'venue'],
  nats: ['venue'],
  redis: ['exchange'],
}
/** Half minutes before a fault, until its alert fires, and until the last look. */
const BEFORE = 1
const WITHIN = 4
const LAST = 6
/** Half minutes without NATS until five minutes without an answer of JetStream are over. */
const QUORUM = 14

const clock = new FakeClock(new Date())
const proxies = new Map<Dependency, Proxy>()
let dataDir: string
let platform: Prepared
/** The reader of exchanges is another process than the rest: a fresh installation reads none. */
let running: Running
let reader: Running
let base: string
let agent: Agent
const taken: Scrapes[] = []
const READER = 'market-data'
let start: (services: readonly string[], given?: Environment) => Promise<Running>

/** What a new installation has to name beside the production overlay: its servers, keys, RPC and venue. */
const GIVEN =
  /^(?:SVC_(?:NATS|POSTGRES|REDIS)_|SVC_(?:SESSION_SIGNING_KEY|KEEPER_CLIENT_SECRET|ADMIN_WALLETS|REVIEWER_WALLETS|SWITCHES_DIR|SIWE_CHAIN_ID|INTERNAL_PORT)$|HUB_(?:RPC_URL|CHAIN_ID|DEPLOYMENT_FILE|HL_INFO_URL|HL_EXCHANGE_URL)$|MARKET_VENUE_BASE_URL_)/

/** Returns the port of an address in an environment. */
const portOf = (address: string | undefined): number => Number(/:(\d+)(?:\/|$)/.exec(address ?? '')?.[1])

/** Returns settings with the port of each proxied server replaced by that of its proxy. */
function throughProxies(environment: Environment, ports: ReadonlyMap<number, Proxy>): Environment {
  const replaced = (text: string) =>
    text.replaceAll(/127\.0\.0\.1:(\d+)/g, (whole, port) => {
      const proxy = ports.get(Number(port))
      return proxy === undefined ? whole : `127.0.0.1:${proxy.port}`
    })
  return Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, text && replaced(text)]))
}

beforeAll(async () => {
  dataDir = newDataFolder('silence')
  const port = await freePort()
  base = `http://127.0.0.1:${port}`
  platform = await preparePlatform({
    dataDir,
    publicUrl: base,
    durable: false,
    chain: true,
    leg: true,
    venues: ONE_VENUE,
  })
  const { servers, legVenue, venues } = platform
  const targets = {
    postgres: servers.postgres.port,
    nats: servers.nats.port,
    redis: servers.redis.port,
    chain: servers.chain?.port ?? 0,
    venue: portOf(legVenue?.url),
    exchange: portOf(venues.environment['MARKET_VENUE_BASE_URL_BINANCE']),
  } satisfies Record<Dependency, number>
  const ports = new Map<number, Proxy>()
  for (const system of SYSTEMS) {
    const proxy = await startProxy(targets[system])
    proxies.set(system, proxy)
    ports.set(targets[system], proxy)
  }
  for (const [name, text] of Object.entries(productionSwitches)) writeFileSync(join(platform.switchesDir, name), text)
  const { SVC_NATS_URL: _, ...production } = productionSettings
  const more = { ...NO_LIMITS, SVC_LOG_LEVEL: 'silent', SVC_PORT: String(port) }
  start = (services, given = {}) => {
    const environmentOf = (name: string): Environment => {
      const local = Object.entries(platform.environmentOf(name)).filter(([key]) => GIVEN.test(key))
      const declared = platform.environmentOf(name, { ...production, ...more, ...given })
      const chosen = Object.entries(declared).filter(([key]) => key in production || key in more || key in given)
      return throughProxies(Object.fromEntries([...local, ...chosen]), ports)
    }
    return startInProcess({ environmentOf }, () => ({}), { overridesOf: () => ({ clock }), services })
  }
  reader = await start([READER])
  running = await start(SERVICES.filter((name) => name !== READER))
  agent = await registerAgent(base)
})
afterAll(async () => {
  for (const proxy of proxies.values()) await proxy.recover()
  await running?.stop()
  await reader?.stop()
  for (const proxy of proxies.values()) await proxy.end()
  await platform?.servers.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Returns the age of the newest answer of each system, in seconds; none for one that nobody watches. */
function agesIn(text: string): Partial<Record<Dependency, number>> {
  const ages: Partial<Record<Dependency, number>> = {}
  for (const [, system = '', age] of text.matchAll(
    /^hub_dependency_answer_age_seconds\{[^}]*dependency="(\w+)"[^}]*\} (\S+)$/gm,
  ))
    ages[system as Dependency] = Math.min(ages[system as Dependency] ?? Infinity, Number(age))
  return ages
}

/** What must have happened before a scrape shows the services as they would be in real time. */
interface Settling {
  readonly silent: readonly Dependency[]
  /** Services whose workers need not have succeeded meanwhile; null means none of them has to. */
  readonly idle: ReadonlySet<string> | null
}

/** Lets half a minute pass, until all has settled; returns what is exposed then. */
async function halfMinute({ silent, idle }: Settling): Promise<string> {
  clock.advance(STEP_SEC * 1000)
  await setOtherClocks()
  return eventually(async () => {
    const text = await metricsText()
    const ages = agesIn(text)
    for (const system of SYSTEMS)
      if (!silent.includes(system)) expect(ages[system] ?? Infinity, system).toBeLessThan(STEP_SEC)
    // Half minutes pass faster here than slow workers run: what they follow is judged by the long form alone.
    const workers = LONG && idle !== null ? lateWorkers(text) : []
    const late = workers.filter((worker) => !idle?.has(worker.split(' ')[0] ?? ''))
    expect(late).toEqual([])
    return text
  })
}

const BLOCK_SEC = 2

const NOTHING_GONE: Settling = { silent: [], idle: new Set() }
/** What still works while a system is gone: the workers that its alert does not inhibit. */
function without(gone: Dependency): Settling {
  const ofWorkers = inhibitions.find(({ cause, follow }) => cause === ALERT_OF[gone] && follow.includes('WorkerStale'))
  const { of: services = null } = ofWorkers ?? { of: [] }
  return { silent: [gone, ...(NEEDS[gone] ?? [])], idle: services === null ? null : new Set(services) }
}

/** Returns the values of a metric of workers, by service and worker. */
const workersIn = (text: string, metric: string): ReadonlyMap<string, number> =>
  new Map(
    [...text.matchAll(new RegExp(`^${metric}\\{service="([^"]*)",worker="([^"]*)"[^}]*\\} (\\S+)$`, 'gm'))].map(
      ([, service, worker, value]) => [`${service} ${worker}`, Number(value)],
    ),
  )

/** A slow worker that fails while a system is gone tries again an interval later; for its alert it is late after three. */
const SLOW_SEC = 120

/** Returns the workers, except slow ones, that have not succeeded within their interval and half a minute. */
function lateWorkers(text: string): readonly string[] {
  const nowSec = clock.now().getTime() / 1000
  const intervals = workersIn(text, 'hub_worker_interval_seconds')
  return [...workersIn(text, 'hub_worker_last_success_timestamp_seconds')]
    .filter(([worker, at]) => {
      const intervalSec = intervals.get(worker) ?? Infinity
      return intervalSec < SLOW_SEC && nowSec - at >= intervalSec + STEP_SEC
    })
    .map(([worker]) => worker)
}

/**
 * Sets the clocks of chain and venue, which run on their own, to that of the services, and ends the minute by which the weight of
 * questions to the venue counts.
 */
async function setOtherClocks(): Promise<void> {
  const now = clock.now().getTime()
  platform.legVenue?.control('time', { skew_ms: now - Date.now() })
  await query(platform.servers, 'DELETE FROM hl_leg.venue_weight')
  const { chain } = platform.servers
  if (chain === null) return
  // The age of the chain may be read from a block 32 back: blocks come every two seconds, as on the real chain.
  for (let ago = STEP_SEC - BLOCK_SEC; ago >= 0; ago -= BLOCK_SEC)
    await rpc(chain.url, 'evm_mine', [toHex(Math.floor(now / 1000) - ago)]).catch(() => {})
}

const stranger = () => privateKeyToAccount(generatePrivateKey()).address
const keys = () => ask(base, '/auth/agent/keys', { key: agent.key })
const nonce = (purpose = 'session') =>
  ask(base, '/auth/wallet/nonce', { body: { wallet_address: stranger(), purpose } })

/** Asks what needs a system, after whatever must be known before. Null: no caller waits for that system. */
const CALLS: Record<Dependency, (() => Promise<() => Promise<Answer>>) | null> = {
  postgres: async () => keys,
  nats: async () => keys,
  redis: async () => nonce,
  chain: async () => {
    const { body } = await nonce()
    const signature = `0x${'ab'.repeat(200)}`
    const signIn = { wallet_address: /0x[0-9a-fA-F]{40}/.exec(body.message)?.[0], message: body.message, signature }
    return () => ask(base, '/auth/wallet/session', { body: signIn })
  },
  venue: async () => () => ask(base, `/hub/info/portfolio?user=${stranger()}`),
  exchange: null,
}

const CASES = SYSTEMS.flatMap((system) =>
  FAULTS.filter((fault) => LONG || fault === 'hung').map((fault) => [system, fault] as const),
)

test.runIf(LONG)('a fresh production installation fires no alert in its first twenty minutes', async () => {
  const texts: string[] = []
  const beganSec = clock.now().getTime() / 1000
  while (texts.length <= 40) texts.push(await halfMinute({ silent: ['exchange'], idle: new Set() }))
  const at = [...texts.keys()]
  const firing = await firingAlerts([
    { name: 'fresh', texts, beganSec: beganSec + STEP_SEC, at, more: seriesOfCluster },
  ])
  expect(Object.fromEntries([...firing].filter(([, alerts]) => alerts.length > 0))).toEqual({})
})

describe('a system that is gone', () => {
  beforeAll(async () => {
    await reader.stop()
    reader = await start([READER], { MARKET_VENUES: 'binance' })
  })

  test.each(CASES)('answers callers in time while %s is %s', async (system, fault) => {
    const proxy = proxies.get(system)
    const beganSec = clock.now().getTime() / 1000
    const texts: string[] = [await halfMinute(NOTHING_GONE)]
    while (texts.length <= BEFORE) texts.push(await halfMinute(NOTHING_GONE))
    const call = await CALLS[system]?.()
    await proxy?.fail(fault)
    if (call === undefined) expect((await ask(base, '/coverage')).status).toBe(200)
    else {
      const { status, body, headers } = await call()
      expect({ status, code: body.code, retry: headers.get('retry-after') }).toEqual({
        status: 503,
        code: 'temporarily_unavailable',
        retry: '1',
      })
    }
    const last = BEFORE + (system === 'nats' ? QUORUM : LAST)
    while (texts.length <= last) texts.push(await halfMinute(without(system)))
    taken.push({
      name: `${system} ${fault}`,
      texts,
      beganSec: beganSec + STEP_SEC,
      at: [...new Set([BEFORE, BEFORE + WITHIN, BEFORE + LAST, last])],
      more: seriesOfCluster,
    })
    await proxy?.recover()
    await eventually(async () => {
      clock.advance(5_000)
      const ages = agesIn(await metricsText())
      for (const one of SYSTEMS) expect(ages[one] ?? Infinity, one).toBeLessThan(15)
      expect((await keys()).status).toBe(200)
    })
  })

  test('no call waits longer than three seconds for a system that answers nothing', () => {
    expect(SILENCE_MS).toBeLessThanOrEqual(3_000)
    expect(TIMEOUT_MS.info).toBeLessThanOrEqual(3_000)
  })

  test('each system that is gone calls a person about itself within two minutes, and in the long form about nothing that follows from it', async () => {
    const firing = await firingAlerts(taken)
    const heard = (name: string, at: number) => heardOf(firing.get(`${name}@${at}`) ?? [])
    const judged = (at: number) =>
      taken.map(({ name }) => [name, heard(name, at).filter((alert) => LONG || OWN.has(alert))] as const)
    expect(judged(BEFORE)).toEqual(taken.map(({ name }) => [name, []]))
    for (const at of [BEFORE + WITHIN, BEFORE + LAST])
      expect(judged(at)).toEqual(CASES.map(([system, fault]) => [`${system} ${fault}`, [ALERT_OF[system]]]))
    // JetStream without its quorum looks like this too; while NATS itself is silent it stays in the background.
    for (const name of CASES.filter(([system]) => system === 'nats').map((one) => one.join(' '))) {
      const has = (at: number) => (firing.get(`${name}@${at}`) ?? []).some((one) => one['alertname'] === QUORUM_ALERT)
      expect([has(BEFORE), has(BEFORE + QUORUM), heard(name, BEFORE + QUORUM).includes(QUORUM_ALERT)]).toEqual([
        false,
        true,
        false,
      ])
    }
  })
})
