import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { streamOf, type Environment } from '@svc/contract'
import { freePort, startNatsCluster, withClient, type NatsCluster, type Server, type Servers } from '@svc/servers'
import { openBus, openLog, PROVISIONER } from '@svc/service'
import { eventually } from '@svc/testing'
import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { natsUsersOf } from '#dev/access.ts'
import { preparePlatform, type Prepared } from '#dev/platform.ts'
import { SERVICES, serviceProcess, type ServiceProcess } from '#dev/services.ts'
import { prepareStreams } from '#dev/storage.ts'
import { QUIET_REPLAY } from '#dev/venues.ts'
import { openBalancer } from '#manifest-runner/endpoints.ts'
import { recovered } from '#restore-drill/postgres.ts'
import { promote, startReplica } from '#restore-drill/standby.ts'
import { newDataFolder } from '../data-folder.ts'
import { signIn } from '../people.ts'

/** A whole platform in which every part has another one that takes over, as in production. */
export interface Doubled {
  /** Address of both gateways. */
  readonly url: string
  readonly prepared: Prepared
  readonly nats: NatsCluster
  /** An admin whom no play signs in: an account has twenty sessions, and a further one ends the oldest. */
  readonly admin: LocalAccount
  /** Two of each service. */
  readonly processes: readonly ServiceProcess[]
  /** Kills a process and starts it again; the address of the gateways follows, as late as in a cluster. */
  killOne(process: ServiceProcess): Promise<void>
  /** Returns the NATS node that leads the stream of a service. */
  leaderOf(service: string): Promise<Server>
  /** Kills the primary of Postgres and makes the replica the primary. */
  failOver(): Promise<void>
  /** Address of the platform's database for the superuser, at the primary of now. */
  databaseUrl(): string
  stop(): Promise<void>
}

/** How late a cluster hears that an instance of the edge came or went. */
const ENDPOINTS_DELAY_MS = 1_000
const COPIES = [0, 1] as const
const LOCAL = '127.0.0.1'

/** Starts two processes of every service over three NATS nodes, a Postgres with a replica, Redis and a chain. */
export async function startDoubled(more: Environment): Promise<Doubled> {
  await using parts = new AsyncDisposableStack()
  const dataDir = newDataFolder('doubled')
  parts.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const [edgePort, sqlPort] = [await freePort(), await freePort()]
  const url = `http://${LOCAL}:${edgePort}`
  const prepared = await preparePlatform({ dataDir, publicUrl: url, durable: false, chain: true, venues: QUIET_REPLAY })
  const { servers, house } = prepared
  const admin = privateKeyToAccount(generatePrivateKey())
  const admins = { SVC_ADMIN_WALLETS: [house.admin, admin].map(({ address }) => address).join(',') }
  parts.defer(() => servers.stop())
  const nats = await startCluster(join(dataDir, 'cluster'), servers)
  parts.defer(() => nats.stop())
  const replica = await startReplica(servers, join(dataDir, 'replica'))
  parts.defer(() => replica.stop())

  const sql = await openBalancer({ host: LOCAL, port: sqlPort }, 0)
  const edge = await openBalancer({ host: LOCAL, port: edgePort }, ENDPOINTS_DELAY_MS)
  for (const one of [sql, edge]) parts.defer(() => one.close())
  sql.set([{ host: LOCAL, port: servers.postgres.port }])
  let primary = servers.postgres

  const ports = new Map<ServiceProcess, number>()
  for (const _ of COPIES)
    for (const name of SERVICES) {
      const port = await freePort()
      const address = new URL(prepared.environmentOf(name)['SVC_POSTGRES_URL'] ?? `postgres://${LOCAL}`)
      address.port = String(sqlPort)
      const own = { SVC_PORT: String(port), SVC_NATS_URL: nats.url, SVC_POSTGRES_URL: address.href }
      ports.set(serviceProcess(name, prepared.environmentOf(name, { ...more, ...admins, ...own })), port)
    }
  const processes = [...ports.keys()]
  const lead = (away?: ServiceProcess) =>
    edge.set(
      processes
        .filter((one) => one.name === 'gateway' && one !== away)
        .map((one) => ({ host: LOCAL, port: ports.get(one) ?? 0 })),
    )
  parts.defer(async () => void (await Promise.all(processes.map((one) => one.kill()))))
  // A few at a time: the start of a process is a second of a core.
  for (let at = 0; at < processes.length; at += 4)
    await Promise.all(processes.slice(at, at + 4).map((one) => one.start()))
  lead()
  await eventually(async () => (await fetch(`${url}/health`)).ok)
  await giveStaffATier(url, servers, [house.admin, admin, ...house.reviewers])

  const started = parts.move()
  return {
    url,
    prepared,
    nats,
    admin,
    processes,
    killOne: async (one) => {
      lead(one)
      await one.kill()
      await one.start()
      lead()
    },
    leaderOf: (service) => leaderOf(nats, servers, service),
    failOver: async () => {
      await primary.kill()
      await promote(replica)
      await recovered(replica.postgres)
      primary = replica.postgres
      sql.set([{ host: LOCAL, port: primary.port }])
    },
    databaseUrl: () => {
      const address = new URL(primary.url)
      address.pathname = '/platform'
      return address.href
    },
    stop: () => started.disposeAsync(),
  }
}

/** The documents compare the allowance of newcomers; staff of a busy day have more than 100 calls. */
async function giveStaffATier(url: string, servers: Servers, wallets: readonly LocalAccount[]): Promise<void> {
  const staff = await Promise.all(wallets.map((wallet) => signIn(url, wallet)))
  const database = new URL(servers.postgres.url)
  database.pathname = '/platform'
  await withClient(database.href, (client) =>
    client.query(
      `INSERT INTO subscriptions.subscription (account_id, tier, started_at, ends_at, paid, bought_seconds)
       SELECT id, 2, now(), now() + interval '1 year', 1, 31536000 FROM unnest($1::bigint[]) AS id`,
      [staff.map(({ id }) => id)],
    ),
  )
}

async function startCluster(folder: string, { secrets }: Servers): Promise<NatsCluster> {
  mkdirSync(folder)
  const cluster = await startNatsCluster({ folder, users: natsUsersOf(secrets) })
  await prepareStreams(cluster.url, secrets.nkey(PROVISIONER).seed, { replicas: cluster.nodes.length })
  return cluster
}

async function leaderOf(nats: NatsCluster, { secrets }: Servers, service: string): Promise<Server> {
  const { seed } = secrets.nkey(PROVISIONER)
  const bus = await openBus({ url: nats.url, name: PROVISIONER, seed, log: openLog(PROVISIONER, 'silent') })
  try {
    const manager = await jetstreamManager(bus.connection, { checkAPI: false })
    const { cluster } = await manager.streams.info(streamOf(service))
    const leader = nats.nodes[Number(cluster?.leader?.replace('node-', ''))]
    if (leader === undefined) throw new Error(`nobody leads the stream of ${service}`)
    return leader
  } finally {
    await bus.close()
  }
}

/** Lets Postgres refuse writes while `work` runs, as the primary of a full disk does. */
export async function whileReadOnly(url: string, work: () => Promise<unknown>): Promise<void> {
  const set = (statement: string) =>
    withClient(url, async (client) => {
      await client.query(statement)
      await client.query('SELECT pg_reload_conf()')
    })
  await set('ALTER SYSTEM SET default_transaction_read_only = on')
  try {
    await work()
  } finally {
    await set('ALTER SYSTEM RESET default_transaction_read_only')
  }
}
