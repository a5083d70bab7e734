import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { schemaOf, streamOf, type Contract } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { openPool, type Pool } from '@svc/postgres'
import { startNatsCluster, startServers, type Secrets } from '@svc/servers'
import { openBus, openLog, patiently, PROVISIONER, provision, type Bus, type Job } from '@svc/service'
import { relayOutbox } from '@svc/service/relay'
import { withoutAccounts } from '@svc/testing/without-accounts'
import { natsUsersOf } from '@svc/tools/dev/access.ts'
import { ownCpuSeconds } from './process-usage.ts'
import { percent, type Benchmark, type Figure } from './result.ts'
import type { Stage } from './stage.ts'
import { median } from './statistics.ts'

const PUBLISHER = 'mining'
const SUBJECT = 'evt.mining.payoutReleased'
const SCHEMA = schemaOf(PUBLISHER)
/** The publisher, and whoever reads its events or theirs. */
const NAMES = [PUBLISHER, 'subscriptions', 'identity', 'market-data']
const PAYLOAD =
  '{"submission_id":"sub_0123456789abcdef","user_id":1000123,"cherry":25,"released_at":"2026-11-30T18:00:00.000Z"}'
const EVENTS = 5_000
const KINDS = ['accounts', 'none'] as const
type Kind = (typeof KINDS)[number]

/** NATS with an account for each service, or with one for all, and the relay of a publisher. */
interface Side {
  readonly relay: Job
  /** Processes of the relay and of NATS. */
  readonly pids: readonly number[]
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
  const figures: Figure[] = []
  for (const nodes of [1, 3]) {
    const open = (kind: Kind) =>
      startSide(parts, { dataDir: join(dataDir, `${kind}-${nodes}`), nodes, secrets, pool, kind })
    const sides = { accounts: await open('accounts'), none: await open('none') }
    note(`outbox: ${EVENTS} events with accounts and without in turn, NATS nodes: ${nodes}`)
    const rounds: Record<Kind, Round>[] = []
    for (let round = -1; round < (short ? 4 : 20); round++) {
      const measured: Partial<Record<Kind, Round>> = {}
      for (const kind of round % 2 === 0 ? KINDS : KINDS.toReversed())
        measured[kind] = await moveEvents(stage, sides[kind])
      if (round >= 0) rounds.push(measured as Record<Kind, Round>)
    }
    figures.push(figureOf(nodes, rounds))
  }
  return { figures }
}

interface Round {
  readonly perSecond: number
  /** CPU of the relay and of NATS, µs an event. */
  readonly cpu: number
}

function figureOf(nodes: number, rounds: readonly Record<Kind, Round>[]): Figure {
  const ratios = rounds.map(({ accounts, none }) => accounts.perSecond / none.perSecond).toSorted((a, b) => a - b)
  const at = (share: number) => percent(ratios[Math.floor(share * (ratios.length - 1))] ?? NaN)
  const of = (kind: Kind, what: keyof Round) => median(rounds.map((round) => round[kind][what])).toFixed(0)
  const ratio = median(ratios)
  return {
    what: `Events a second through the outbox of a service to ${nodes === 1 ? 'one NATS node' : 'three NATS nodes'}: an account for each service, against one for all`,
    goal: '≥ 97 %',
    measured: `${percent(ratio)} (${of('accounts', 'perSecond')} against ${of('none', 'perSecond')} a second; the middle half of ${ratios.length} rounds ${at(0.25)} to ${at(0.75)}; CPU of relay and NATS ${of('accounts', 'cpu')} against ${of('none', 'cpu')} µs an event)`,
    met: ratio >= 0.97,
    holdsBack: 'The import of each event into the account of the streams, and of its acknowledgement back (ADR 47).',
  }
}

/** Fills the outbox, and has the relay move all of it to the stream. */
async function moveEvents({ admin }: Stage, { relay, pids, empty }: Side): Promise<Round> {
  const filled = `INSERT INTO ${SCHEMA}.outbox (subject, payload) SELECT $1, $2::json FROM generate_series(1, $3)`
  await admin.query(filled, [SUBJECT, PAYLOAD, EVENTS])
  const [begun, used] = [performance.now(), ownCpuSeconds(pids)]
  const { done } = await relay(new AbortController().signal)
  const seconds = (performance.now() - begun) / 1_000
  const cpu = ((ownCpuSeconds(pids) - used) / EVENTS) * 1e6
  if (done !== EVENTS) throw new Error(`the relay moved ${done} events of ${EVENTS}`)
  await empty()
  await admin.query(`TRUNCATE ${SCHEMA}.sent_event`)
  return { perSecond: EVENTS / seconds, cpu }
}

interface Given {
  readonly dataDir: string
  readonly nodes: number
  readonly secrets: Secrets
  readonly pool: Pool
  readonly kind: Kind
}

async function startSide(parts: AsyncDisposableStack, given: Given): Promise<Side> {
  const { dataDir, nodes, secrets, pool, kind } = given
  const users = kind === 'accounts' ? natsUsersOf(secrets) : withoutAccounts(natsUsersOf(secrets))
  const startNodes = async () => {
    if (nodes > 1) return startNatsCluster({ folder: dataDir, users })
    const { nats, stop } = await startServers({ dataDir, postgres: false, redis: false, natsUsers: () => users })
    return { nodes: [nats], url: nats.url, stop }
  }
  const server = await startNodes()
  parts.defer(() => server.stop())
  const connect = async (name: string): Promise<Bus> => {
    const bus = await openBus({ url: server.url, name, seed: secrets.nkey(name).seed, log: openLog(name, 'warn') })
    parts.defer(() => bus.close())
    return bus
  }
  const provisioner = await connect(PROVISIONER)
  const own = contracts.filter(({ name }) => NAMES.includes(name)) as unknown as readonly Contract[]
  await patiently('JetStream', () => provision(provisioner, own, nodes))
  const { streams } = await jetstreamManager(provisioner.connection, { checkAPI: false })
  const publisher = await connect(PUBLISHER)
  const bus = { ...publisher, streamsApi: kind === 'accounts' ? publisher.streamsApi : '$JS.API' }
  return {
    relay: relayOutbox({ pool, bus, service: PUBLISHER, log: openLog(PUBLISHER, 'warn') }),
    pids: [process.pid, ...server.nodes.flatMap((node) => node.pid() ?? [])],
    empty: async () => void (await streams.purge(streamOf(PUBLISHER))),
  }
}
