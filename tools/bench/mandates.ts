import { createHash } from 'node:crypto'
import { freePort, startServers } from '@svc/servers'
import { privateKeyToAccount } from 'viem/accounts'
import { keys as allKeys } from './hop/keys.ts'
import { rowsTable } from './hop/rows.ts'
import { get, getAsOwner, post, startLoadGenerator } from './load.ts'
import { BUY, ENTRIES_EACH, publicIdOf, seedMandates, seedSettings, VENUE, type Parties } from './mandates-seed.ts'
import { startProcess } from './processes.ts'
import { percent, times, type Benchmark } from './result.ts'
import { openSink } from './sink.ts'
import { addPlayers, openStage, startServices, type Stage } from './stage.ts'
import { measure, type Measured, type Variant } from './variant.ts'

const keys = allKeys.slice(0, 64)
const OWNERS = 8
/** Mandates whose requests are sent in turn. */
const ASKED = 2_048
const CONNECTIONS = 8
const NO_LIMIT = '100000000'

/** Reads, judged calls and reports of mandates, against one statement by the same way, as mandates grow ten-thousandfold. */
export const mandates: Benchmark = async ({ short, dataDir, note }) => {
  const sizes = [10, short ? 10_000 : 100_000] as const
  const stage = await openStage(dataDir)
  const stops: (() => Promise<void>)[] = [() => stage.stop()]
  try {
    await addPlayers(stage)
    const services = await startServices(stage, {
      names: ['identity', 'subscriptions', 'mandates', 'gateway'],
      settings: {
        ...seedSettings,
        SVC_HUB_READ_LIMIT_MINUTE: NO_LIMIT,
        SVC_HUB_WRITE_LIMIT_MINUTE: NO_LIMIT,
        SVC_OPEN_LIMIT_MINUTE: NO_LIMIT,
      },
    })
    stops.push(services.stop)
    const owners = await signInOwners(services.port)
    const parties: Parties = { agents: await agentsOf(stage), owners }
    const floorRows = sizes[1] * ENTRIES_EACH
    const floor = await startRowsFloor(stage, dataDir, floorRows)
    stops.push(floor.stop)
    const generator = await startLoadGenerator()
    stops.push(() => generator.stop())

    const durationMs = short ? 1_500 : 3_000
    const rounds = short ? 5 : 9
    const load = (port: number, requests: readonly string[]) => ({
      port,
      requests,
      durationMs,
      connections: CONNECTIONS,
    })
    const occurred_at = new Date(Date.now() - 3_600_000).toISOString()
    const report = { kind: 'buy', market: 'testvenue', side: 'buy', amount_usdc: '1', occurred_at, note: 'First lot' }
    const pids = services.pids
    const variantsAt = (size: number): readonly [Variant, Variant, Variant, Variant] => {
      const step = Math.max(1, Math.floor(size / ASKED))
      const asked = Array.from({ length: Math.min(size, ASKED) }, (_, place) => 1 + place * step)
      const path = (n: number, rest: string) => `/hub/mandates/${publicIdOf(n)}/${rest}`
      const agentKey = (n: number) => keys[n % keys.length] ?? ''
      const byAgent = (rest: string) => asked.map((n) => get(path(n, rest), agentKey(n)))
      const own = (name: string, requests: readonly string[], expected = 200) => ({
        name,
        pids,
        expected,
        load: load(services.port, requests),
      })
      return [
        own('record', byAgent(`record?since=${ENTRIES_EACH - 2}`)),
        own(
          'live',
          asked.map((n) => getAsOwner(path(n, 'live'), owners[n % OWNERS]?.token ?? '')),
        ),
        own('call', byAgent(`execute-call?target=${VENUE}&data=${BUY}${'0'.repeat(64)}&approve_amount_usdc=1`)),
        own(
          'event',
          asked.map((n) => post(path(n, 'events'), agentKey(n), report)),
          201,
        ),
      ]
    }
    const floors: readonly [Variant, Variant] = [
      {
        name: 'select',
        pids: floor.pids,
        load: load(
          floor.port,
          allKeys.map((key, place) => get(`/bench/rows/${1 + ((place * 997) % floorRows)}`, key)),
        ),
      },
      {
        name: 'insert',
        pids: floor.pids,
        expected: 201,
        load: load(
          floor.port,
          allKeys.map((key) => post('/bench/rows', key, { text: 'x'.repeat(700) })),
        ),
      },
    ]

    const results: ReadonlyMap<string, Measured>[] = []
    let filled = 1
    for (const size of sizes) {
      note(
        `mandates: ${size.toLocaleString('en')} mandates, ${(size * ENTRIES_EACH).toLocaleString('en')} rows of the record`,
      )
      await seedMandates(stage.admin, parties, filled, size + 1)
      filled = size + 1
      const [select, insert] = floors
      const [record, live, call, event] = variantsAt(size)
      // Reports come last: the record answers everything of the last two minutes again.
      const reads = await measure(generator, [select, record, live, call], rounds)
      const writes = await measure(generator, [insert, event], rounds)
      results.push(new Map([...reads, ...writes]))
      for (const [name, one] of results.at(-1) ?? [])
        note(`${name}: p50 ${one.p50.toFixed(2)} ms, ${one.perSecond.toFixed(0)}/s, cpu ${one.cpu.toFixed(0)} us`)
    }
    const [few, many] = results
    const one = (name: string, at = many): Measured => at?.get(name) ?? { cpu: NaN, perSecond: NaN, p50: NaN }
    const slower = (name: string) => one(name).p50 / one('select').p50
    // In units of the floor of the same minutes, so that a busy neighbour counts for neither.
    const cost = (name: string, floorName: string, at = many) => one(name, at).cpu / one(floorName, at).cpu
    const costs = (name: string) => {
      const floorName = name === 'event' ? 'insert' : 'select'
      return cost(name, floorName) / cost(name, floorName, few)
    }
    const rows = (sizes[1] * ENTRIES_EACH).toLocaleString('en')
    const read = (name: string, what: string, goal: number, holdsBack: string) => ({
      what: `${what}, p50 against a bare indexed SELECT by the same way, at ${rows} rows of the record`,
      goal: `≤ ${goal} ×`,
      measured: `${times(slower(name))} (${one(name).p50.toFixed(2)} ms; floor ${one('select').p50.toFixed(2)} ms; ${CONNECTIONS} at once)`,
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
          'Steps are checked and written as JSON, each whole.',
        ),
        read('live', '`GET /hub/mandates/{public_id}/live` by its owner', 1.5, 'Six tables in one statement.'),
        read(
          'call',
          '`GET /hub/mandates/{public_id}/execute-call` with the verdict of all clauses',
          3,
          'Eight clauses are judged.',
        ),
        {
          what: '`POST /hub/mandates/{public_id}/events`, reports per second against a bare INSERT by the same way',
          goal: '≥ 25 %',
          measured: `${percent(rate)} (${one('event').perSecond.toFixed(0)} a second; floor ${one('insert').perSecond.toFixed(0)}; ${CONNECTIONS} at once)`,
          met: rate >= 0.25,
          holdsBack: 'A transaction that locks the mandate, judges the report and chains it to the record.',
        },
        {
          what: `CPU of a request in units of its floor at ${sizes[1].toLocaleString('en')} mandates, against ${sizes[0]}: the worst of these four`,
          goal: '≤ 1.2 ×',
          measured: `${times(worst)} (${names.map((name) => `${name} ${costs(name).toFixed(2)}`).join(', ')})`,
          met: worst <= 1.2,
          holdsBack: 'Deeper indexes, and pages that are no longer all in Postgres’ own cache.',
        },
      ],
    }
  } finally {
    for (const stop of stops.reverse()) await stop().catch(() => {})
  }
}

/** The load generator's accounts with their wallets. */
async function agentsOf({ admin }: Stage): Promise<Parties['agents']> {
  const { rows } = await admin.query<{ hash: string; id: string; wallet: string }>(
    `SELECT k.hash, a.account_id AS id, a.wallet FROM identity.api_keys k JOIN identity.accounts a USING (account_id) WHERE k.name = 'bench'`,
  )
  const byHash = new Map(rows.map(({ hash, id, wallet }) => [hash, { id: Number(id), wallet }]))
  return keys.map((key) => {
    const agent = byHash.get(createHash('sha256').update(key).digest('hex'))
    if (agent === undefined) throw new Error('a key of the load generator has no account')
    return agent
  })
}

async function signInOwners(port: number) {
  const ask = async (path: string, body: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { message: string; token: string; user_id: number }
  }
  const owners: { id: number; wallet: string; token: string }[] = []
  for (let n = 1; n <= OWNERS; n++) {
    const wallet = privateKeyToAccount(`0x${n.toString(16).padStart(64, '0')}`)
    const { message } = await ask('/auth/wallet/nonce', { wallet_address: wallet.address, purpose: 'session' })
    const signature = await wallet.signMessage({ message })
    const { token, user_id } = await ask('/auth/wallet/session', { wallet_address: wallet.address, message, signature })
    owners.push({ id: user_id, wallet: wallet.address, token })
  }
  return owners
}

/** The edge and a service whose handlers run one statement each, over the same Postgres. */
async function startRowsFloor({ admin, prepared }: Stage, dataDir: string, rows: number) {
  await admin.query(rowsTable('mandates', 'mandates_app', rows))
  const sink = await openSink()
  const servers = await startServers({ dataDir: `${dataDir}/floor`, postgres: false, durable: false })
  const stops: (() => Promise<void>)[] = [async () => sink.close(), () => servers.stop()]
  const stop = async () => {
    for (const one of stops.reverse()) await one()
  }
  try {
    const port = await freePort()
    const settings = {
      SVC_NATS_URL: servers.nats.url,
      SVC_REDIS_URL: servers.redis.url,
      SVC_LOG_LEVEL: 'warn',
      SVC_INTERNAL_PORT: '0',
      SVC_TRACE_RATIO: '0.01',
      SVC_OTLP_URL: sink.url,
    }
    const imported = ['--import', new URL(import.meta.resolve('@svc/service/register-telemetry')).pathname]
    const url = prepared.environmentOf('mandates')['SVC_POSTGRES_URL'] ?? ''
    const service = await startProcess('hop/service.ts', { ...settings, SVC_POSTGRES_URL: url }, imported)
    stops.push(() => service.stop())
    const gateway = await startProcess('hop/gateway.ts', { ...settings, BENCH_PORT: String(port) }, imported)
    stops.push(() => gateway.stop())
    const { postgres } = prepared.servers
    const pids = [
      service.pid,
      gateway.pid,
      ...[servers.nats, servers.redis, postgres].flatMap((one) => one.pid() ?? []),
    ]
    return { port, pids, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
