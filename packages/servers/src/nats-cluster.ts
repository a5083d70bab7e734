import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverBinary } from './binaries.ts'
import { natsConfig, type NatsUser } from './nats-config.ts'
import { natsInfo } from './nats.ts'
import { freePort } from './ports.ts'
import { createServer, type Server } from './server.ts'

/** The nodes of a NATS cluster on this machine, each of which can be killed and started. */
export interface NatsCluster {
  readonly nodes: readonly Server[]
  /** Addresses of all nodes, as `SVC_NATS_URL` takes them. */
  readonly url: string
  /** Ends one node and starts it with other users, as an update does; the others go on. */
  update(node: number, users: readonly NatsUser[]): Promise<void>
  stop(): Promise<void>
}

export interface NatsClusterOptions {
  /** Folder of the configurations, the logs and the data of all nodes. */
  readonly folder: string
  readonly users: readonly NatsUser[]
  /** Returns the address by which one node reaches another; default: `target` itself. */
  readonly routeOf?: (from: number, to: number, target: string) => string | Promise<string>
}

/** Nobody listens there: nodes reach each other by their listed routes alone. */
const NOWHERE = '127.0.0.1:1'
const NODES = [0, 1, 2] as const

/** Starts three NATS nodes with JetStream on the loopback interface. */
export async function startNatsCluster({
  folder,
  users,
  routeOf = (_from, _to, target) => target,
}: NatsClusterOptions): Promise<NatsCluster> {
  const binary = await serverBinary('nats-server', folder, () => {})
  mkdirSync(join(folder, 'logs'), { recursive: true })
  const ports = await Promise.all(NODES.map(async () => ({ client: await freePort(), cluster: await freePort() })))
  const fileOf = (node: number) => join(folder, `node-${node}.conf`)
  const configure = async (node: number, wanted: readonly NatsUser[]) => {
    const { client = 0, cluster = 0 } = ports[node] ?? {}
    const others = NODES.filter((other) => other !== node)
    const routes = others.map(async (to) => routeOf(node, to, `nats://127.0.0.1:${ports[to]?.cluster}`))
    const config = natsConfig({
      host: '127.0.0.1',
      port: client,
      storeDir: join(folder, `node-${node}`),
      users: wanted,
      serverName: `node-${node}`,
      cluster: {
        name: 'local',
        host: '127.0.0.1',
        port: cluster,
        routes: await Promise.all(routes),
        advertise: NOWHERE,
      },
    })
    writeFileSync(fileOf(node), config, { mode: 0o600 })
  }
  const start = async (node: number, client: number) => {
    await configure(node, users)
    const url = `nats://127.0.0.1:${client}`
    const server = createServer({
      name: `NATS node ${node}`,
      url,
      port: client,
      logFile: join(folder, 'logs', `node-${node}.log`),
      command: [binary.path, '-c', fileOf(node)],
      env: binary.env,
      deathSignal: 'TERM',
      stopSignal: 'SIGTERM',
      ready: async () => (await natsInfo(url)) !== null,
    })
    await server.start()
    return server
  }
  const started = await Promise.allSettled(ports.map(({ client }, node) => start(node, client)))
  const nodes = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const stop = async () => void (await Promise.all(nodes.map((node) => node.stop())))
  const failed = started.find((one) => one.status === 'rejected')
  if (failed !== undefined) {
    await stop()
    throw failed.reason
  }
  const update = async (node: number, wanted: readonly NatsUser[]) => {
    await configure(node, wanted)
    await nodes[node]?.restart()
  }
  return { nodes, url: nodes.map(({ url }) => url).join(','), update, stop }
}
