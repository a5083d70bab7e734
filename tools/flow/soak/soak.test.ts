import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { jetstreamManager } from '@nats-io/jetstream'
import { schemaOf } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { KEEP_DAYS } from '@svc/postgres'
import { startReplayExchange, type ReplayExchange } from '@svc/replay-exchange'
import { freePort } from '@svc/servers'
import { openBus, openLog, PROVISIONER, topology, type Bus } from '@svc/service'
import { ageNats, agePostgres, ageRedis, consumerLag, eventually } from '@svc/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { preparePlatform, type Prepared } from '../../dev/platform.ts'
import { nodeOptions } from '../../dev/services.ts'
import { ask } from '../client.ts'
import { newDataFolder } from '../data-folder.ts'
import { registerAgent, signIn, type Agent } from '../people.ts'
import { judgeGrowth } from './growth.ts'
import { PROCESS_LEAKS } from './leaks.ts'
import type { SoakSample } from './sampling.ts'
import type { SoakStart } from './soak-process.ts'

const LONG = process.env['TEST_LONG'] === '1'
const SPEED = 100
/** Shortest run by this machine's clock; the platform's clock covers `SPEED` times as much. */
const RUN_MS = Number(process.env['SOAK_MINUTES'] ?? (LONG ? 60 : 0.5)) * 60_000
/** What the platform leaks before each sample, or `lag` for a consumer that is paused: this test fails then. */
const LEAK = z
  .enum([...PROCESS_LEAKS, 'lag'])
  .optional()
  .parse(process.env['SOAK_LEAK'])
const SAMPLE_MS = LONG ? 5_000 : 1_000
/** Samples between two strikes. Between two samples the platform answers at least one round of traffic. */
const SAMPLES = LONG ? 20 : 16
/** Times before a freeze, its end and a kill. A frozen leader loses its lease after 3.5 s. */
const STRIKES_MS = LONG
  ? ({ SIGSTOP: 20_000, SIGCONT: 20_000, SIGKILL: 20_000 } as const)
  : ({ SIGSTOP: 1_000, SIGCONT: 5_000, SIGKILL: 2_000 } as const)
/**
 * After this share of the run all code has run, and every cache and pool of the platform has its size: in the seconds after a
 * strike the pools of connections still grow back.
 */
const SETTLED_SHARE = LONG ? 0.1 : 0.5
/** Share of the heap by which V8's own data about the program may still rise (docs/adr/0045). */
const HEAP_SETTLES = 0.03
const DAY_MS = 86_400_000
/** The market of the short run is small: what its services keep for a pair is judged by the long one. */
const MARKET = LONG ? { tokens: 40, venues: ['binance', 'gate', 'kucoin'] } : { tokens: 30, venues: ['binance'] }
/**
 * Strikes, each with its samples, by which a run goes on while a figure grows or has too few samples. Growth by chance or by
 * a pool that grows back ends meanwhile; a leak goes on.
 */
const MORE_STRIKES = 4
/** A run whose backlog is not empty after this time hangs: a quiet machine needs a few seconds. */
const HANG_MS = 20 * 60_000

let dataDir: string
let exchange: ReplayExchange
let platform: Prepared
let database: string
let db: pg.Client
let bus: Bus
const children = new Set<ChildProcess>()

beforeAll(async () => {
  dataDir = newDataFolder('soak')
  exchange = await startReplayExchange({ ...MARKET, speed: SPEED, limits: false })
  const venues = { kind: 'live', venues: MARKET.venues } as const
  platform = await preparePlatform({ dataDir, publicUrl: 'http://127.0.0.1:9', durable: false, chain: LONG, venues })
  const { postgres, nats, secrets } = platform.servers
  const address = new URL(postgres.url)
  address.pathname = '/platform'
  database = address.href
  db = new pg.Client({ connectionString: database })
  await db.connect()
  bus = await openBus({
    url: nats.url,
    name: PROVISIONER,
    seed: secrets.nkey(PROVISIONER).seed,
    log: openLog(PROVISIONER, 'silent'),
  })
})
afterAll(async () => {
  killAll()
  await Promise.all([db?.end(), bus?.close()])
  await platform?.servers.stop()
  await exchange?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

function killAll(): void {
  for (const child of children) child.kill('SIGKILL')
}

/** Starts all services in one new process by the fast clock; resolves with the process and its address when it is ready. */
async function startAll(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const port = await freePort()
  const addresses = MARKET.venues.map((venue) => [
    `MARKET_VENUE_BASE_URL_${venue.toUpperCase()}`,
    exchange.venueUrl(venue),
  ])
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
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  const leak = LEAK === undefined || LEAK === 'lag' ? null : { kind: LEAK, postgresUrl: database }
  const plan: SoakStart = { environments, at: exchange.clock.now(), real: Date.now(), speed: SPEED, leak }
  child.send(plan)
  await once(child, 'message')
  return { child, url: `http://127.0.0.1:${port}` }
}

const schemas = contracts.filter((contract) => contract.postgres).map(({ name }) => schemaOf(name))

interface Sample extends SoakSample {
  readonly connections: number
}

/** Events that wait to be published or consumed. */
interface Backlog {
  /** Events that wait for a consumer, or that a consumer has not acknowledged. */
  readonly lag: number
  /** Events that are not published. */
  readonly waiting: readonly string[]
}

async function backlogOf(): Promise<Backlog> {
  const lags = await consumerLag(bus, contracts)
  const outboxes = schemas.map((schema) => `SELECT '${schema} ' || id AS event FROM ${schema}.outbox`)
  const { rows } = await db.query<{ event: string }>(outboxes.join(' UNION ALL '))
  return { lag: Object.values(lags).reduce((sum, lag) => sum + lag, 0), waiting: rows.map(({ event }) => event) }
}

async function sampleOf(child: ChildProcess): Promise<Sample> {
  child.send('sample')
  const [sample] = (await once(child, 'message')) as [SoakSample]
  const { rows } = await db.query(
    'SELECT count(*)::int AS connections FROM pg_stat_activity WHERE datname = current_database()',
  )
  return { ...sample, connections: rows[0].connections }
}

/** Tables with a retention: the column that it is measured by, and its days. */
const kept = [
  ...schemas.flatMap((schema) => [
    { schema, table: 'inbox', column: 'received_at', days: KEEP_DAYS.inbox },
    { schema, table: 'idempotency', column: 'claimed_at', days: KEEP_DAYS.idempotency },
    { schema, table: 'dead_letter', column: 'failed_at', days: KEEP_DAYS.failures },
    { schema, table: 'sent_event', column: 'sent_at', days: KEEP_DAYS.sent },
  ]),
  { schema: 'identity', table: 'sessions', column: 'refresh_until', days: 30 },
]

/** Adds rows of each kind and makes all rows older than their retention; returns how many rows and Redis keys were aged. */
async function ageAll(url: string, name: string): Promise<{ readonly rows: number; readonly keys: number }> {
  // Repeats both calls if they took longer than a signed message is valid.
  await eventually(async () => signIn(url, (await registerAgent(url, name)).wallet), { timeoutMs: HANG_MS })
  for (const schema of schemas) {
    await db.query(
      `INSERT INTO ${schema}.dead_letter (event_id, subject, envelope, state, error) VALUES ($1, 'evt.soak', '{}', 'trying', 'soak')`,
      [name],
    )
    await db.query(
      `INSERT INTO ${schema}.idempotency (account_id, operation, key, request_hash) VALUES (1, 'soak', $1, 'soak')`,
      [name],
    )
  }
  let rows = 0
  for (const { days, ...aged } of kept) {
    // The age of a session counts from its end, which is days away.
    rows += await agePostgres(database, aged, (days + 60) * DAY_MS)
  }
  // Events that the outbox publishes again from here on are duplicates that only the inbox recognises.
  for (const { name } of topology(contracts).streams) await ageNats(bus, name, DAY_MS)
  return { rows, keys: await ageRedis(platform.servers.redis.url, 2 * DAY_MS) }
}

/** Returns how many rows housekeeping should have deleted. */
async function overdue(): Promise<number> {
  const counts = kept.map(
    ({ schema, table, column, days }) =>
      `SELECT count(*)::int AS n FROM ${schema}.${table} WHERE ${column} < now() - interval '${days} days'`,
  )
  const { rows } = await db.query<{ n: number }>(counts.join(' UNION ALL '))
  return rows.reduce((sum, { n }) => sum + n, 0)
}

/** Expected refusals: a nonce and a signed message are valid for five minutes, which are three seconds here. */
const MAY_COME = /temporarily_unavailable|message_expired|nonce_unknown|TimeoutError/

/** Sends what callers send all the time. Refusals and outages are answers; a 500 is a bug. */
async function traffic(url: string, agents: Agent[], round: number): Promise<void> {
  if (round % 5 === 0)
    await registerAgent(url, `soak ${round}`).then(
      (agent) => agents.push(agent),
      (error: unknown) => expect(String(error)).toMatch(MAY_COME),
    )
  const key = agents[round % agents.length]?.key
  const keyed = key === undefined ? {} : { key }
  const paths = [
    '/board?limit=20',
    '/subscriptions/cherries/history',
    '/alerts/crisis',
    '/arbitrage',
    '/subscriptions/status',
  ]
  await Promise.all(
    paths.map((path) =>
      ask(url, path, keyed).then(
        ({ status }) => expect(status, path).not.toBe(500),
        // On a busy machine no answer in time is an outage like a 503.
        (error: unknown) => expect(String(error), path).toMatch(MAY_COME),
      ),
    ),
  )
}

/** Ages the stored rows, then freezes, thaws and kills a second platform. */
async function strike(url: string, round: number, child: ChildProcess): Promise<void> {
  // Before the freeze: a frozen process would answer its share of the calls late.
  const aged = await ageAll(url, `soak ${round}`)
  expect(aged.rows).toBeGreaterThan(2 * schemas.length)
  expect(aged.keys).toBeGreaterThan(0)
  for (const signal of ['SIGSTOP', 'SIGCONT', 'SIGKILL'] as const) {
    await delay(STRIKES_MS[signal])
    child.kill(signal)
  }
  await once(child, 'exit')
  await eventually(
    async () => {
      const { rows } = await db.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted`)
      expect(rows.length).toBeGreaterThanOrEqual(schemas.length)
    },
    { everyMs: 100, timeoutMs: HANG_MS },
  )
}

/** Lets traffic pass or holds it up. */
function createGate() {
  let isOpen = Promise.resolve()
  let open = () => {}
  let isIdle = Promise.resolve()
  return {
    /** Runs `work` once the gate is open. */
    pass: async (work: () => Promise<void>): Promise<void> => {
      await isOpen
      isIdle = work()
      await isIdle
    },
    /** Runs `work` while nothing passes. */
    shut: async <T>(work: () => Promise<T>): Promise<T> => {
      isOpen = new Promise((resolve) => (open = resolve))
      await isIdle
      try {
        return await work()
      } finally {
        open()
      }
    },
  }
}
type Gate = ReturnType<typeof createGate>

/** Traffic of a platform: how many rounds it has answered, and the consumers' lag after each. */
interface Use {
  rounds: number
  readonly lags: number[]
}

/** Keeps the platform busy until `isOver`. */
async function keepBusy(url: string, gate: Gate, use: Use, isOver: () => boolean): Promise<void> {
  const agents: Agent[] = []
  while (!isOver()) {
    const next = Date.now() + SAMPLE_MS
    await gate.pass(() => traffic(url, agents, use.rounds))
    use.lags.push((await backlogOf()).lag)
    use.rounds += 1
    await delay(Math.max(0, next - Date.now()))
  }
}

/** Adds samples, each after more work. Each is taken while no request is in flight. */
async function addSamples(samples: Sample[], child: ChildProcess, gate: Gate, use: Use): Promise<void> {
  for (let turn = 0; turn < SAMPLES; turn += 1) {
    const [next, before] = [Date.now() + SAMPLE_MS, use.rounds]
    samples.push(await gate.shut(() => sampleOf(child)))
    await delay(Math.max(0, next - Date.now()))
    await eventually(() => use.rounds > before)
  }
}

const FIGURES = ['heapMb', 'listeners', 'sockets', 'timers', 'connections'] as const

/** Judges the samples after the settled share of a run. */
function judge(samples: readonly Sample[], { lags }: Use) {
  const settled = <T>(all: readonly T[]): readonly T[] => all.slice(Math.floor(all.length * SETTLED_SHARE))
  return judgeGrowth(
    {
      // The engine's own code and caches still move the heap by tenths of a megabyte.
      ...Object.fromEntries(FIGURES.map((figure) => [figure, settled(samples).map((one) => Math.round(one[figure]))])),
      // A machine that falls behind the fast clock has a lag that is no leak; the short run ends with the clock slowed down.
      ...(LONG ? { lag: settled(lags) } : {}),
    },
    { heapMb: HEAP_SETTLES },
  )
}

/**
 * Alternates strikes and samples for the whole run, and goes on while a figure grows or is undecided. Samples are taken while
 * this platform is alone and leads all schemas, so that a second platform's share of the work is no growth.
 */
async function watch(child: ChildProcess, url: string, gate: Gate, use: Use, second: ChildProcess) {
  const samples: Sample[] = []
  const ends = Date.now() + RUN_MS
  for (let round = 0, more = 0; ; round += 1) {
    await strike(url, round, round === 0 ? second : (await startAll()).child)
    await addSamples(samples, child, gate, use)
    if (Date.now() < ends) continue
    const verdict = judge(samples, use)
    if (more === MORE_STRIKES || verdict.growing.length + verdict.undecided.length === 0) return verdict
    more += 1
  }
}

/** Pauses a consumer for good. */
async function pauseConsumer(): Promise<void> {
  const [consumer] = topology(contracts).consumers
  if (consumer === undefined) throw new Error('the contracts have no consumer')
  const { consumers } = await jetstreamManager(bus.connection, { checkAPI: false })
  await consumers.pause(consumer.stream, consumer.durable, new Date(Date.now() + DAY_MS))
}

test(
  'hours of work, with processes killed and frozen meanwhile, leave heap, listeners, sockets, timers, connections and consumer lag flat and delete what is too old',
  async () => {
    onTestFinished(killAll)
    if (LEAK === 'lag') await pauseConsumer()
    const [{ child, url }, second] = await Promise.all([startAll(), startAll()])
    const gate = createGate()
    const use: Use = { rounds: 0, lags: [] }
    let isOver = false
    const watching = watch(child, url, gate, use, second.child).finally(() => (isOver = true))
    const [{ growing, undecided, report }] = await Promise.all([watching, keepBusy(url, gate, use, () => isOver)])
    if (LONG || process.env['SOAK_MINUTES'] !== undefined) console.log(report)
    expect({ growing, undecided }, report).toEqual({ growing: [], undecided: [] })
    // Housekeeping is due each hour. The clock runs as fast as this machine's from now on: by the fast clock jobs publish more
    // than a slow machine consumes, and the backlog would never be empty.
    child.send('slow down')
    await eventually(async () => expect([await backlogOf(), await overdue()]).toEqual([{ lag: 0, waiting: [] }, 0]), {
      everyMs: 250,
      timeoutMs: HANG_MS,
    })
  },
  (1 + MORE_STRIKES) * RUN_MS + 2 * HANG_MS,
)
