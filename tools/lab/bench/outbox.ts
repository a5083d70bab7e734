import { join } from 'node:path'
import { streamOf, type Contract } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { openPool, type Pool } from '@svc/postgres'
import { startNatsCluster, startServers, type NatsUser, type Secrets } from '@svc/servers'
import { openBus, openLog, patiently, PROVISIONER, provision, type Bus, type Job } from '@svc/service'
import { relayOutbox } from '@svc/service/relay'
import { withoutAccounts } from '@svc/testing/without-accounts'
import { natsUsersOf } from '@svc/tools/dev/access.ts'
import { jetstreamManager } from '@nats-io/jetstream'
import { percent, type Benchmark, type Figure } from './result.ts'
import type { Stage } from './stage.ts'
import { median } from './statistics.ts'

const PUBLISHER = 'mining'
const SUBJECT = 'evt.mining.payoutReleased'
/** The publisher, and whoever reads its events or theirs. */
const NAMES = [PUBLISHER, 'subscriptions', 'identity', 'market-data']
const PAYLOAD =
  '{"submission_id":"sub_0123456789abcdef","user_id":1000123,"cherry":25,"released_at":"2026-11-30T18:00:00.000Z"}'
const EVENTS = 2_000
const NODES = [1, 3] as const

/** NATS of one kind, with the relay of a publisher. */
interface Side {
  readonly relay: Job
  /** Deletes what was published. */
  empty(): Promise<void>
}

/** Events a second through the outbox, durable in Postgres and in the stream, with an account for each service and without. */
export const outbox: Benchmark = async ({ short, dataDir, shared, note }) => {
  const stage = await shared()
  await using parts = new AsyncDisposableStack()
  const pool = await openPool(stage.prepared.environmentOf(PUBLISHER)['SVC_POSTGRES_URL'] ?? '')
  parts.defer(() => pool.end())
  const { secrets } = stage.prepared.servers
  const users = { with: natsUsersOf(secrets), without: withoutAccounts(natsUsersOf(secrets)) }
  const figures: Figure[] = []
  for (const nodes of NODES) {
    const openSide = (kind: keyof typeof users) =>
      startSide(parts, { dataDir: join(dataDir, `${kind}-${nodes}`), nodes, secrets, pool, users: users[kind], kind })
    const sides = { with: await openSide('with'), without: await openSide('without') }
    note(`outbox: ${EVENTS} events with accounts and without in turn, ${nodes} nodes`)
    const rates: Record<keyof typeof sides, number[]> = { with: [], without: [] }
    for (let round = -1; round < (short ? 4 : 20); round++) {
      const turn = round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)
      for (const kind of turn) {
        const rate = await rateOf(stage, sides[kind])
        if (round >= 0) rates[kind].push(rate)
      }
    }
    const ratios = rates.with.map((rate, round) => rate / (rates.without[round] ?? NaN)).toSorted((a, b) => a - b)
    const quarter = (share: number) => percent(ratios[Math.floor(share * (ratios.length - 1))] ?? NaN)
    const ratio = median(ratios)
    figures.push({
      what: `Events a second through the outbox of a service, ${nodes === 1 ? 'one NATS node' : 'three NATS nodes'}: an account for each service, against one for all`,
      goal: '≥ 97 %',
      measured: `${percent(ratio)} (${median(rates.with).toFixed(0)} against ${median(rates.without).toFixed(0)}; half of the ${ratios.length} rounds between ${quarter(0.25)} and ${quarter(0.75)})`,
      met: ratio >= 0.97,
      holdsBack: 'The server keeps a reply subject for each acknowledgement that goes from one account to another.',
    })
  }
  return { figures }
}

/** Fills the outbox, and returns how many events a second the relay moves to the stream. */
async function rateOf({ admin }: Stage, { relay, empty }: Side): Promise<number> {
  await admin.query(`INSERT INTO mining.outbox (subject, payload) SELECT $1, $2::json FROM generate_series(1, $3)`, [
    SUBJECT,
    PAYLOAD,
    EVENTS,
  ])
  const begun = performance.now()
  const { done } = await relay(new AbortController().signal)
  const rate = (done / (performance.now() - begun)) * 1_000
  if (done !== EVENTS) throw new Error(`the relay moved ${done} events of ${EVENTS}`)
  await empty()
  await admin.query('TRUNCATE mining.sent_event')
  return rate
}

async function startSide(
  parts: AsyncDisposableStack,
  given: {
    readonly dataDir: string
    readonly nodes: (typeof NODES)[number]
    readonly secrets: Secrets
    readonly pool: Pool
    readonly users: readonly NatsUser[]
    readonly kind: 'with' | 'without'
  },
): Promise<Side> {
  const { dataDir, nodes, secrets, pool, users, kind } = given
  const server =
    nodes === 1
      ? await startServers({ dataDir, postgres: false, redis: false, natsUsers: () => users })
      : await startNatsCluster({ folder: dataDir, users })
  parts.defer(() => server.stop())
  const url = 'nats' in server ? server.nats.url : server.url
  const connect = async (name: string): Promise<Bus> => {
    const bus = await openBus({ url, name, seed: secrets.nkey(name).seed, log: openLog(name, 'warn') })
    parts.defer(() => bus.close())
    return bus
  }
  const provisioner = await connect(PROVISIONER)
  const own = contracts.filter(({ name }) => NAMES.includes(name)) as unknown as readonly Contract[]
  await patiently('JetStream', () => provision(provisioner, own, nodes))
  const manager = await jetstreamManager(provisioner.connection, { checkAPI: false })
  const publisher = await connect(PUBLISHER)
  const bus = { ...publisher, streamsApi: kind === 'with' ? publisher.streamsApi : '$JS.API' }
  return {
    relay: relayOutbox({ pool, bus, service: PUBLISHER, log: openLog(PUBLISHER, 'warn') }),
    empty: async () => void (await manager.streams.purge(streamOf(PUBLISHER))),
  }
}
