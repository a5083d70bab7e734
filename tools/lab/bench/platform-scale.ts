import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { schemaOf } from '@svc/contract'
import { SERVICES } from '@svc/tools/dev/services.ts'
import { bytesOfRows } from './bytes-of-rows.ts'
import { isLeader, openFleet, type Fleet, type Instance } from './fleet.ts'
import { keys as allKeys } from './hop/keys.ts'
import { get, startLoadGenerator } from './load.ts'
import { startCluster } from './nats-cluster.ts'
import { cpuSeconds, residentMb } from './process-usage.ts'
import { times, type Benchmark, type Figure, type Outcome } from './result.ts'
import { addPlayers, openStage, type Stage } from './stage.ts'
import { median } from './statistics.ts'

const keys = allKeys.slice(0, 64)
const SERVED = ['identity', 'subscriptions', 'mining', 'gateway'] as const
const TAKEOVER_MS = 5_000
/** A relay that never ends is an error of the measurement. */
const RELAYED_MS = 300_000

/** What more processes, more NATS nodes, a stop and a crash cost, and what capacity is planned by. */
export const platformScale: Benchmark = async ({ short, dataDir, note }) => {
  await using stage = await openStage(join(dataDir, 'platform'), { leg: true })
  await addPlayers(stage)
  const told = (figure: Figure): Figure => {
    note(`${figure.what}: ${figure.measured}`)
    return figure
  }
  note('platform-scale: one gateway and one service against two of each')
  const scaled = told(await scaleOut(stage, short))
  note('platform-scale: stops under load')
  const drains = told(await drain(stage, short))
  note('platform-scale: leaders are killed')
  const takeover = told(await takeOver(stage, short))
  note('platform-scale: events through the outbox')
  const folder = join(dataDir, 'nats')
  mkdirSync(folder)
  const relayed = told(await relayRates(stage, folder, short))
  note('platform-scale: memory of every service')
  const { figure, table } = await memory(stage, short)
  told(figure)
  for (const row of table.rows) note(row.join(': '))
  note('platform-scale: bytes of agents and mandates')
  const bytes = await bytesOfRows(stage)
  return { figures: [scaled, drains, takeover, relayed, figure], tables: [table, bytes] }
}

const balances = (from: Instance) => ({
  port: from.port,
  connections: 32,
  requests: keys.map((key) => get('/agent/mining/balance', key)),
})

async function gatewayOf(fleet: Fleet): Promise<Instance> {
  let gateway: Instance | undefined
  for (const service of SERVED) gateway = await fleet.start(service)
  if (gateway === undefined) throw new Error('no gateway was started')
  return gateway
}

/** The same request to one gateway with one service, to two with two, and to one again. */
async function scaleOut(stage: Stage, short: boolean): Promise<Figure> {
  await using fleet = await openFleet(stage)
  await using generators = new AsyncDisposableStack()
  const [left, right] = [generators.use(await startLoadGenerator()), generators.use(await startLoadGenerator())]
  const durationMs = short ? 2_000 : 5_000
  const round = async (gateways: readonly Instance[]) => {
    const before = cpuSeconds(fleet.pids())
    const results = await Promise.all(
      gateways.map((gateway, place) => (place === 0 ? left : right).run({ ...balances(gateway), durationMs })),
    )
    const done = results.reduce((sum, one) => sum + one.done, 0)
    return { cpu: ((cpuSeconds(fleet.pids()) - before) / done) * 1e6, rate: (done / durationMs) * 1_000 }
  }
  const rounds = async (gateways: readonly Instance[]) => {
    await round(gateways)
    const all = []
    for (let n = 0; n < (short ? 2 : 5); n += 1) all.push(await round(gateways))
    return { cpu: median(all.map(({ cpu }) => cpu)), rate: median(all.map(({ rate }) => rate)) }
  }
  const first = await gatewayOf(fleet)
  const one = await rounds([first])
  const more: Instance[] = []
  for (const service of SERVED) more.push(await fleet.start(service))
  const second = more.at(-1)
  const two = await rounds([first, ...(second === undefined ? [] : [second])])
  for (const { process } of more.toReversed()) await process.stop()
  const again = await rounds([first])
  const cpu = (one.cpu + again.cpu) / 2
  const ratio = cpu / two.cpu
  return {
    what: '`GET /agent/mining/balance` of two gateways with two of each service, requests per CPU-second, against one of each',
    goal: '≥ 0.9 ×',
    measured: `${times(ratio)} (${two.cpu.toFixed(0)} µs, ${two.rate.toFixed(0)} a second; one ${cpu.toFixed(0)} µs, ${one.rate.toFixed(0)} a second)`,
    met: ratio >= 0.9,
    holdsBack:
      'Requests of two gateways are joined less often into one write. Both fleets share two cores, so the rate cannot double here.',
  }
}

/** Every service has a second instance, which is told to stop while requests run. The load generator throws at the first failed one. */
async function drain(stage: Stage, short: boolean): Promise<Figure> {
  await using fleet = await openFleet(stage)
  await using generator = await startLoadGenerator()
  const first = await gatewayOf(fleet)
  let longest = 0
  for (const service of SERVED) {
    const second = await fleet.start(service)
    const answered = generator.run({ ...balances(first), durationMs: short ? 3_000 : 8_000, rate: 300 })
    await delay(1_000)
    const begun = performance.now()
    await second.process.stop()
    longest = Math.max(longest, performance.now() - begun)
    await answered
  }
  return {
    what: `A second instance of ${SERVED.join(', ')} is told to stop while 300 requests a second run: failed requests; longest time to its end`,
    goal: '0; ≤ 30 s',
    measured: `0; ${(longest / 1_000).toFixed(1)} s`,
    met: longest <= 30_000,
    holdsBack: 'What has begun is ended first; the gateway waits until load balancers have left it.',
  }
}

/** Two instances of a service: the leader is killed, and an event waits in the outbox until the other one leads and relays it. */
async function takeOver(stage: Stage, short: boolean): Promise<Figure> {
  await using fleet = await openFleet(stage)
  let instances = [await fleet.start('subscriptions'), await fleet.start('subscriptions')]
  const times: number[] = []
  for (let n = 0; n < (short ? 2 : 7); n += 1) {
    const leads = await Promise.all(instances.map(isLeader))
    const leader = instances[leads.indexOf(true)]
    if (leader === undefined) throw new Error('nobody leads')
    const begun = performance.now()
    await leader.process.kill()
    await putEvents(stage, 1)
    await relayed(stage)
    times.push(performance.now() - begun)
    instances = [...instances.filter((one) => one !== leader), await fleet.start('subscriptions')]
    await delay(2_000)
  }
  return {
    what: 'From `kill -9` of the leader of a service to the next tick of its jobs in another process',
    goal: `≤ ${TAKEOVER_MS / 1_000} s`,
    measured: `${(median(times) / 1_000).toFixed(1)} s (greatest ${(Math.max(...times) / 1_000).toFixed(1)} s of ${times.length})`,
    met: Math.max(...times) <= TAKEOVER_MS,
    holdsBack:
      'Postgres ends the session of a process that was killed at once; another process asks for the lock every 250 ms.',
  }
}

/** Events that two consumers of other services will read later. */
async function putEvents({ admin }: Stage, count: number): Promise<void> {
  await admin.query(
    `INSERT INTO ${schemaOf('subscriptions')}.outbox (subject, payload)
     SELECT 'evt.subscriptions.cherryMoved', json_build_object('transfer_id', n, 'account_id', 1, 'amount', 1,
       'kind', 'adjustment', 'reference', 'bench') FROM generate_series(1, $1::int) AS n`,
    [count],
  )
}

async function relayed({ admin }: Stage): Promise<void> {
  const end = performance.now() + RELAYED_MS
  const waiting = async () =>
    (await admin.query(`SELECT FROM ${schemaOf('subscriptions')}.outbox LIMIT 1`)).rowCount !== 0
  while (await waiting()) {
    if (performance.now() > end) throw new Error('the outbox is not empty after five minutes')
    await delay(10)
  }
}

/** Events a second from the outbox into the stream, with one NATS node and with three that keep three copies. */
async function relayRates(stage: Stage, folder: string, short: boolean): Promise<Figure> {
  const count = short ? 2_000 : 30_000
  const rateAt = async (natsUrl?: string) => {
    await using fleet = await openFleet(stage, natsUrl)
    await fleet.start('subscriptions')
    await putEvents(stage, count)
    const begun = performance.now()
    await relayed(stage)
    return (count / (performance.now() - begun)) * 1_000
  }
  const one = await rateAt()
  await using cluster = await startCluster(folder, stage.prepared.servers.secrets)
  const three = await rateAt(cluster.url)
  return {
    what: `${count.toLocaleString('en')} events from the outbox of a service into its stream, each acknowledged: events a second with one NATS node; with three, which keep three copies`,
    goal: 'stated',
    measured: `${one.toFixed(0)}; ${three.toFixed(0)}`,
    met: null,
    holdsBack:
      'Batches of 200 that are acknowledged before the next, and their rows; then the round of the copies. All nodes share this disk.',
  }
}

/** Routes that between them reach most services. */
const ROUTES = [
  '/agent/mining/balance',
  '/board?limit=100',
  '/hub/markets',
  '/hub/hall',
  '/hub/info/meta',
  '/risk/bottom',
]

/** Every service as a process: resident memory after the start, and after its routes were read. */
async function memory(stage: Stage, short: boolean) {
  await using fleet = await openFleet(stage)
  await using generator = await startLoadGenerator()
  const instances: Instance[] = []
  for (const service of SERVICES) instances.push(await fleet.start(service))
  const gateway = instances.find(({ service }) => service === 'gateway')
  if (gateway === undefined) throw new Error('there is no gateway')
  await delay(short ? 2_000 : 30_000)
  const all = () => instances.map(({ process }) => residentMb([process.pid() ?? 0]))
  const idle = all()
  for (const path of ROUTES) {
    const { ok } = await fetch(`http://127.0.0.1:${gateway.port}${path}`, {
      headers: { 'x-svc-user-key': keys[0] ?? '' },
    })
    if (!ok) continue
    const requests = keys.map((key) => get(path, key))
    await generator.run({ port: gateway.port, connections: 32, requests, durationMs: short ? 1_000 : 8_000 })
  }
  const loaded = all()
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
  const figure: Figure = {
    what: 'Each service as a process: resident memory of all together idle; after reads at full rate',
    goal: 'stated',
    measured: `${sum(idle).toFixed(0)} MB; ${sum(loaded).toFixed(0)} MB`,
    met: null,
    holdsBack: 'Modules of each process; the table has each.',
  }
  const table: NonNullable<Outcome['tables']>[number] = {
    title: 'Memory of each service',
    head: ['service', 'idle', 'after reads'],
    rows: instances.map(({ service }, place) => [
      service,
      `${(idle[place] ?? 0).toFixed(0)} MB`,
      `${(loaded[place] ?? 0).toFixed(0)} MB`,
    ]),
  }
  return { figure, table }
}
