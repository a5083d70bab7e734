import { createHash } from 'node:crypto'
import { freePort, startServers } from '@svc/servers'
import { PROVISIONER } from '@svc/service'
import { serviceProcess } from '@svc/tools/dev/services.ts'
import { prepareStreams } from '@svc/tools/dev/storage.ts'
import { accountOfHash, keys as allKeys } from './hop/keys.ts'
import { rowsTable } from './hop/rows.ts'
import { get, post, startLoadGenerator } from './load.ts'
import { BUY, ENTRIES_EACH, publicIdOf, seedMandates, seedSettings, VENUE, type Parties } from './mandates-seed.ts'
import { startProcess } from './processes.ts'
import { percent, times, type Benchmark } from './result.ts'
import { openSink } from './sink.ts'
import { openStage, type Stage } from './stage.ts'
import { measure, type Measured, type Variant } from './variant.ts'

const keys = allKeys.slice(0, 64)
/** Mandates that requests rotate over. */
const ASKED = 2_048
/** Entries in an answer of the record: two new ones, and the newest that the chain proves. */
const ENTRIES_ANSWERED = 3
/** Few enough readers that answers do not queue; enough writers that commits coincide. */
const READERS = 2
const WRITERS = 8

/**
 * Reads, judged calls and reports of mandates against one statement by the same route, while mandates grow
 * ten-thousandfold. The floor asks for as many rows, as widely spread, as there are mandates asked for: Postgres would
 * serve fewer rows from its cache. The floor of the record returns as many rows as the record has entries, so that the
 * transport of rows does not count for the record.
 */
export const mandates: Benchmark = async ({ short, dataDir, note }) => {
  const sizes = [10, short ? 10_000 : 100_000] as const
  await using stage = await openStage(dataDir)
  const floorRows = sizes[1] * ENTRIES_EACH
  await using route = await startRoute(stage, dataDir, floorRows)
  const { port } = route
  const parties: Parties = {
    agents: keys.map((key) => ({ id: accountOfHash.get(sha256(key)) ?? 0, wallet: `0x${sha256(key).slice(0, 40)}` })),
    owners: Array.from({ length: 8 }, (_, n) => ({
      id: 1_000_000 + n,
      wallet: `0x${sha256(String(n)).slice(0, 40)}`,
    })),
  }
  await using generator = await startLoadGenerator()

  const durationMs = short ? 1_500 : 2_000
  const rounds = short ? 5 : 7
  const load = (requests: readonly string[], connections = READERS) => ({ port, requests, durationMs, connections })
  const occurred_at = new Date(Date.now() - 3_600_000).toISOString()
  const report = { kind: 'buy', market: 'testvenue', side: 'buy', amount_usdc: '1', occurred_at, note: 'First lot' }
  const pids = route.servicePids
  const variantsAt = (size: number): readonly [Variant, Variant, Variant, Variant] => {
    const step = Math.max(1, Math.floor(size / ASKED))
    const asked = Array.from({ length: Math.min(size, ASKED) }, (_, place) => 1 + place * step)
    const path = (n: number, rest: string) => `/hub/mandates/${publicIdOf(n)}/${rest}`
    const agentKey = (n: number) => keys[n % keys.length] ?? ''
    const read = (name: string, rest: string) => ({
      name,
      pids,
      load: load(asked.map((n) => get(path(n, rest), agentKey(n)))),
    })
    const reports = asked.map((n) => post(path(n, 'events'), agentKey(n), report))
    return [
      read('record', `record?since=${ENTRIES_EACH - 2}`),
      read('live', 'live'),
      read('call', `execute-call?target=${VENUE}&data=${BUY}${'0'.repeat(64)}&approve_amount_usdc=1`),
      { name: 'event', pids, expected: 201, load: load(reports, WRITERS) },
    ]
  }
  const floorReads = (rest: string) =>
    Array.from({ length: ASKED }, (_, place) =>
      get(`/bench/rows/${1 + place * Math.floor(floorRows / ASKED)}${rest}`, allKeys[place % allKeys.length] ?? ''),
    )
  const inserts = allKeys.map((key) => post('/bench/rows', key, { text: 'x'.repeat(700) }))
  const select: Variant = { name: 'select', pids: route.floorPids, load: load(floorReads('')) }
  const rowsRead: Variant = {
    name: 'rows',
    pids: route.floorPids,
    load: load(floorReads(`/following?count=${ENTRIES_ANSWERED}`)),
  }
  const insert: Variant = { name: 'insert', pids: route.floorPids, expected: 201, load: load(inserts, WRITERS) }

  const results: ReadonlyMap<string, Measured>[] = []
  let filled = 1
  for (const size of sizes) {
    note(
      `mandates: ${size.toLocaleString('en')} mandates, ${(size * ENTRIES_EACH).toLocaleString('en')} rows of the record`,
    )
    await seedMandates(stage.admin, parties, filled, size + 1)
    filled = size + 1
    const [record, live, call, event] = variantsAt(size)
    // Reports come last, because the record returns everything of the last two minutes.
    const reads = await measure(generator, [select, rowsRead, record, live, call], rounds)
    const writes = await measure(generator, [insert, event], rounds)
    results.push(new Map([...reads, ...writes]))
    for (const [name, one] of results.at(-1) ?? [])
      note(`${name}: p50 ${one.p50.toFixed(2)} ms, ${one.perSecond.toFixed(0)}/s, cpu ${one.cpu.toFixed(0)} us`)
  }
  const [few, many] = results
  const one = (name: string, at = many): Measured => at?.get(name) ?? { cpu: NaN, perSecond: NaN, p50: NaN }
  const floorOf = (name: string) => (name === 'record' ? 'rows' : name === 'event' ? 'insert' : 'select')
  const slower = (name: string) => one(name).p50 / one(floorOf(name)).p50
  // In units of the floor of the same minutes, so that other load on the machine cancels out.
  const cost = (name: string, at = many) => one(name, at).cpu / one(floorOf(name), at).cpu
  const costs = (name: string) => cost(name) / cost(name, few)
  const rows = (sizes[1] * ENTRIES_EACH).toLocaleString('en')
  const read = (name: string, what: string, goal: number, holdsBack: string, select = 'a bare indexed SELECT') => ({
    what: `${what}, p50 against ${select} by the same way, at ${rows} rows of the record`,
    goal: `≤ ${goal} ×`,
    measured: `${times(slower(name))} (${one(name).p50.toFixed(2)} ms; floor ${one(floorOf(name)).p50.toFixed(2)} ms; ${READERS} at once)`,
    met: slower(name) <= goal,
    holdsBack,
  })
  const rate = one('event').perSecond / one('insert').perSecond
  const names = ['record', 'live', 'call', 'event']
  const worst = Math.max(...names.map(costs))
  return {
    figures: [
      read(
        'record',
        '`GET /hub/mandates/{public_id}/record`',
        1.5,
        'Postgres finds whole groups in one statement of five index scans; steps are carried as JSON.',
        `a bare indexed SELECT of as many rows (${ENTRIES_ANSWERED})`,
      ),
      read(
        'live',
        '`GET /hub/mandates/{public_id}/live`',
        1.5,
        'A look at the mandate’s row and its newest mark; six tables in one statement after something changed.',
      ),
      read(
        'call',
        '`GET /hub/mandates/{public_id}/execute-call` with the verdict of all clauses',
        3,
        'Two statements, and eight clauses to judge.',
      ),
      {
        what: '`POST /hub/mandates/{public_id}/events`, reports per second against a bare INSERT by the same way',
        goal: '≥ 25 %',
        measured: `${percent(rate)} (${one('event').perSecond.toFixed(0)} a second; floor ${one('insert').perSecond.toFixed(0)}; ${WRITERS} at once)`,
        met: rate >= 0.25,
        holdsBack: 'A transaction that locks the mandate, judges the report and chains it to the record.',
      },
      {
        what: `CPU of a request in units of its floor at ${sizes[1].toLocaleString('en')} mandates, against ${sizes[0]}: the worst of these four`,
        goal: '≤ 1.2 ×',
        measured: `${times(worst)} (${names.map((name) => `${name} ${costs(name).toFixed(2)}`).join(', ')})`,
        met: worst <= 1.2,
        holdsBack:
          'Random access: pages of 100,000 mandates do not all stay in Postgres’ own cache (128 MB here), and ten mandates share theirs. A report’s first touch after a checkpoint logs whole pages (16 KB, then 1 KB).',
      },
    ],
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Starts one edge and one NATS over the platform's Postgres, with mandates and a floor of one statement behind them. */
async function startRoute({ admin, prepared }: Stage, dataDir: string, rows: number) {
  await admin.query(rowsTable('mandates', 'mandates_app', rows))
  // Otherwise autovacuum runs during a measurement.
  await admin.query('VACUUM (ANALYZE) mandates.bench_row')
  await using parts = new AsyncDisposableStack()
  const sink = parts.use(await openSink())
  const servers = await startServers({ dataDir: `${dataDir}/route`, postgres: false, durable: false })
  parts.defer(() => servers.stop())
  await prepareStreams(servers.nats.url, prepared.servers.secrets.nkey(PROVISIONER).seed)
  const port = await freePort()
  const settings = {
    SVC_NATS_URL: servers.nats.url,
    SVC_REDIS_URL: servers.redis.url,
    SVC_LOG_LEVEL: 'warn',
    SVC_INTERNAL_PORT: '0',
    SVC_TRACE_RATIO: '0.01',
    SVC_OTLP_URL: sink.url,
    SVC_POSTGRES_POOL: '10',
  }
  const url = prepared.environmentOf('mandates')['SVC_POSTGRES_URL'] ?? ''
  const floor = parts.use(await startProcess('hop/service.ts', { ...settings, SVC_POSTGRES_URL: url }))
  const service = serviceProcess('mandates', prepared.environmentOf('mandates', { ...settings, ...seedSettings }))
  parts.defer(async () => void (await service.stop()))
  await service.start()
  const edge = { ...settings, BENCH_PORT: String(port), BENCH_WITH: 'mandates' }
  const gateway = parts.use(await startProcess('hop/gateway.ts', edge))
  const { postgres } = prepared.servers
  const common = [gateway.pid, ...[servers.nats, servers.redis, postgres].flatMap((one) => one.pid() ?? [])]
  const started = parts.move()
  return {
    port,
    floorPids: [floor.pid, ...common],
    servicePids: [service.pid() ?? 0, ...common],
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
