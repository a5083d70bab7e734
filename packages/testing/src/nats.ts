import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createUser } from '@nats-io/nkeys'
import type { Contract } from '@svc/contract'
import {
  natsConfig,
  startNatsCluster,
  startServers,
  type NatsCluster,
  type NatsClusterOptions,
  type NatsUser,
} from '@svc/servers'
import {
  nkeyAuthenticator,
  openBus,
  openLog,
  patiently,
  permissionsOf,
  PROVISIONER,
  provision,
  type Bus,
} from '@svc/service'
import { inject } from 'vitest'
import { recorderOf, recordersOf, recordOutcomes } from './outcomes.ts'

export interface DisposableNats {
  readonly url: string
  /** Returns the nkey seed of a service, or null if the server was given by URL. */
  seedOf(service: string): string | null
  /** Opens a connection with the rights of a service. The caller closes it. */
  connect(service: string): Promise<Bus>
  /** Kills the server and starts it with the same data; null if it is not a local process. */
  readonly faults: { kill(): Promise<void>; start(): Promise<void> } | null
  stop(): Promise<void>
}

interface Key {
  readonly publicKey: string
  readonly seed: string
}

/** Keys by name of the user. They serve all servers of a process: making them for each took a tenth of a second. */
const keys = new Map<string, Key>()
function keyOf(name: string): Key {
  const known = keys.get(name)
  if (known !== undefined) return known
  const pair = createUser()
  const key = { publicKey: pair.getPublicKey(), seed: new TextDecoder().decode(pair.getSeed()) }
  keys.set(name, key)
  return key
}

const usersOf = (contracts: readonly Contract[]): readonly NatsUser[] =>
  [...permissionsOf(contracts), ...recordersOf(contracts)].map(({ name, account, imports, ...permissions }) => {
    return { name, publicKey: keyOf(name).publicKey, account, imports, permissions }
  })

/** Three NATS nodes on this machine, between which the network can be cut. */
export interface DisposableCluster extends NatsCluster {
  /** The users of the contracts. */
  readonly users: readonly NatsUser[]
  /** Opens a connection with the rights of a service to one node or to any. */
  connect(service: string, url?: string): Promise<Bus>
}

/**
 * Starts three NATS nodes with the users of a `testStack` of the same contracts, or with what `usersNow` makes of these, and three
 * copies of each stream. `routeOf`: see `startNatsCluster`.
 */
export async function disposableCluster(
  contracts: readonly Contract[],
  {
    routeOf,
    usersNow = (users) => users,
  }: Pick<NatsClusterOptions, 'routeOf'> & {
    readonly usersNow?: (users: readonly NatsUser[]) => readonly NatsUser[]
  },
): Promise<DisposableCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-cluster-'))
  const users = usersOf(contracts)
  const cluster = await startNatsCluster({
    folder,
    users: usersNow(users),
    ...(routeOf === undefined ? {} : { routeOf }),
  })
  const connect = (service: string, url = cluster.url) =>
    openBus({ url, name: service, seed: keyOf(service).seed, log: openLog(service, 'silent') })
  const provisioner = await connect(PROVISIONER)
  await patiently('the streams of the cluster', () => provision(provisioner, contracts, cluster.nodes.length))
  await provisioner.close()
  return {
    ...cluster,
    users,
    connect,
    stop: async () => {
      await Promise.all(cluster.nodes.map((node) => node.kill()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a NATS server with the permissions, streams and consumers of the contracts. */
export async function disposableNats(contracts: readonly Contract[]): Promise<DisposableNats> {
  const { kind, natsUrl } = inject('infrastructure')
  const users = usersOf(contracts)
  const names = new Set(users.map(({ name }) => name))
  const { url, faults, stop } = await start(users, kind, natsUrl)
  const seedOf = (service: string) => {
    if (!names.has(service)) throw new Error(`no contract is named ${service}`)
    return natsUrl === null ? keyOf(service).seed : null
  }
  const connect = (service: string) =>
    openBus({ url, name: service, seed: seedOf(service), log: openLog(service, 'silent') })
  const provisioner = await connect(PROVISIONER)
  await provision(provisioner, contracts)
  await provisioner.close()
  const logins =
    natsUrl !== null ? [null] : contracts.map(({ name }) => nkeyAuthenticator(keyOf(recorderOf(name)).seed))
  const recorder = await recordOutcomes(url, logins)
  return {
    url,
    seedOf,
    connect,
    faults,
    stop: async () => {
      await recorder.close()
      await stop()
    },
  }
}

async function start(
  users: readonly NatsUser[],
  kind: string,
  natsUrl: string | null,
): Promise<Pick<DisposableNats, 'url' | 'faults' | 'stop'>> {
  if (natsUrl !== null) return { url: natsUrl, faults: null, stop: async () => {} }
  if (kind === 'containers') {
    const { startNatsContainer } = await import('./containers.ts')
    return {
      ...(await startNatsContainer(natsConfig({ host: '0.0.0.0', port: 4222, storeDir: '/tmp/jetstream', users }))),
      faults: null,
    }
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-test-nats-'))
  const servers = await startServers({ dataDir, postgres: false, redis: false, natsUsers: () => users })
  return {
    url: servers.nats.url,
    faults: { kill: () => servers.nats.kill(), start: () => servers.nats.start() },
    stop: async () => {
      // Nobody reads its data again: it need not end in order.
      await servers.nats.kill()
      await servers.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
