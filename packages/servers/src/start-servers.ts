import { mkdirSync } from 'node:fs'
import pg from 'pg'
import { startChain } from './chain.ts'
import { openDataFolder, type DataFolder } from './data-folder.ts'
import { checkGivenNats, startNats, type NatsServer } from './nats.ts'
import type { NatsUser } from './nats-config.ts'
import { freePort, portIsFree } from './ports.ts'
import { startPostgres } from './postgres.ts'
import { fileProblem, PortInUse, ServerProblem } from './problem.ts'
import { checkGivenRedis, startRedis, type RedisUser } from './redis.ts'
import { openSecrets, type Secrets } from './secrets.ts'
import { givenServer, type Server } from './server.ts'

export interface StartOptions {
  /** Folder with all data of the servers, used by one process at a time. */
  readonly dataDir: string
  /** Receives a line per notable event. */
  readonly log?: (line: string) => void
  /** Fixed ports; a fixed port in use is an error. Default: the ports of the last start, or free ones. */
  readonly ports?: {
    readonly postgres?: number
    readonly nats?: number
    readonly redis?: number
    readonly chain?: number
  }
  /** A URL uses a running server; false starts none. */
  readonly postgres?: boolean | string
  readonly nats?: boolean | string
  readonly redis?: boolean | string
  /** Whether to start a local chain (anvil). Default false. */
  readonly chain?: boolean
  /** Time of the first block of a chain that does not exist yet; default: now. */
  readonly chainSince?: Date
  /** Origin of the pages that may ask the chain; default: no page of another server. */
  readonly pageOrigin?: string
  /** Returns the NATS users with the secrets of this folder; default: anybody may connect. */
  readonly natsUsers?: (secrets: Secrets) => readonly NatsUser[]
  /** Returns the Redis users with the secrets of this folder; default: anybody may connect. */
  readonly redisUsers?: (secrets: Secrets) => readonly RedisUser[]
  /** False skips fsync in Postgres, for disposable servers only. Default true. */
  readonly durable?: boolean
  /** Whether to restart a server that ended unexpectedly, at most 5 times a minute. Default false. */
  readonly supervise?: boolean
}

export interface Servers {
  readonly folder: DataFolder
  readonly secrets: Secrets
  /** Its `url` is the superuser's. */
  readonly postgres: Server
  readonly nats: NatsServer
  readonly redis: Server
  /** Null unless requested. */
  readonly chain: Server | null
  /** Stops all servers and releases the folder. */
  stop(): Promise<void>
}

const restartsPerMinuteMax = 5

/**
 * Starts Postgres, NATS with JetStream, Redis and, if requested, a chain as child processes on the loopback interface,
 * with their data in one folder. Resolves when each has answered a real request; otherwise stops them all and throws
 * `ServerProblem`. The children end with this process, even if it is killed.
 */
export async function startServers(options: StartOptions): Promise<Servers> {
  const log = options.log ?? (() => {})
  const folder = openDataFolder(options.dataDir)
  const running: Server[] = []
  let stopping = false
  const stop = async () => {
    stopping = true
    await Promise.allSettled(running.map((server) => server.stop()))
    folder.release()
  }
  const supervised = supervisor(options, folder, () => stopping)
  try {
    mkdirSync(folder.file('logs'), { recursive: true, mode: 0o700 })
    const secrets = openSecrets(folder)
    const ports: Record<string, number> = {}
    const start = async <S extends Server>(
      name: 'postgres' | 'nats' | 'redis' | 'chain',
      launch: (port: number, onExit: () => void) => Promise<S>,
    ) => {
      const started: { server?: S } = {}
      const server = await onPort(folder, name, options.ports?.[name], (port) =>
        launch(
          port,
          supervised(name, () => started.server),
        ),
      )
      started.server = server
      ports[name] = server.port
      running.push(server)
      return server
    }
    const since = options.chainSince === undefined ? {} : { since: options.chainSince }
    const origin = options.pageOrigin === undefined ? {} : { pageOrigin: options.pageOrigin }
    const starts = [
      typeof options.postgres === 'string' || options.postgres === false
        ? givenPostgres(options.postgres)
        : start('postgres', (port, onExit) =>
            startPostgres({
              folder,
              port,
              superuserPassword: secrets.password('postgres'),
              durable: options.durable ?? true,
              onExit,
            }),
          ),
      typeof options.nats === 'string' || options.nats === false
        ? givenNats(options.nats)
        : start('nats', (port, onExit) =>
            startNats({ folder, port, users: options.natsUsers?.(secrets) ?? null, log, onExit }),
          ),
      typeof options.redis === 'string' || options.redis === false
        ? givenRedis(options.redis)
        : start('redis', (port, onExit) => {
            const users = options.redisUsers?.(secrets)
            return startRedis({
              folder,
              port,
              access: users === undefined ? null : { adminPassword: secrets.password('redis'), users },
              log,
              onExit,
            })
          }),
      options.chain === true
        ? start('chain', (port, onExit) => startChain({ folder, port, log, onExit, ...since, ...origin }))
        : noChain,
    ] as const
    // Waits for all, so that no start is still running after another failed.
    const failed = (await Promise.allSettled(starts)).find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    const [postgres, nats, redis, chain] = await Promise.all(starts)
    savePorts(folder, ports)
    return { folder, secrets, postgres, nats, redis, chain, stop }
  } catch (error) {
    await stop()
    throw fileProblem(error, folder.path)
  }
}

const noChain = Promise.resolve(null)
const absent = (name: string, portDefault: number) =>
  givenServer(name, `absent://127.0.0.1:${portDefault}`, portDefault)

async function givenPostgres(url: string | false): Promise<Server> {
  if (url === false) return absent('Postgres', 5432)
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new ServerProblem(
      `Postgres does not answer at ${new URL(url).host} (${error instanceof Error ? error.message : 'unknown error'}): start it or correct the URL.`,
    )
  } finally {
    await client.end().catch(() => {})
  }
  return givenServer('Postgres', url, 5432)
}

async function givenNats(url: string | false): Promise<NatsServer> {
  if (url !== false) await checkGivenNats(url)
  return { ...(url === false ? absent('NATS', 4222) : givenServer('NATS', url, 4222)), reload: () => {} }
}

async function givenRedis(url: string | false): Promise<Server> {
  if (url === false) return absent('Redis', 6379)
  await checkGivenRedis(url)
  return givenServer('Redis', url, 6379)
}

function savedPorts(folder: DataFolder): Readonly<Record<string, unknown>> {
  return (folder.readJson('ports.json') ?? {}) as Readonly<Record<string, unknown>>
}

function savePorts(folder: DataFolder, ports: Readonly<Record<string, number>>): void {
  folder.write('ports.json', `${JSON.stringify({ ...savedPorts(folder), ...ports })}\n`)
}

async function onPort<S>(
  folder: DataFolder,
  name: string,
  fixed: number | undefined,
  launch: (port: number) => Promise<S>,
): Promise<S> {
  if (fixed !== undefined) {
    if (!(await portIsFree(fixed))) throw new PortInUse(name, fixed)
    return launch(fixed)
  }
  const last = savedPorts(folder)[name]
  const first = typeof last === 'number' && (await portIsFree(last)) ? last : await freePort()
  try {
    return await launch(first)
  } catch (error) {
    // Another process took the port first: tries another port once.
    if (!(error instanceof PortInUse)) throw error
    return launch(await freePort())
  }
}

/** Returns a function that gives the exit handler of a server, which starts it again a bounded number of times a minute. */
function supervisor(options: StartOptions, folder: DataFolder, isStopping: () => boolean) {
  const log = options.log ?? (() => {})
  return (name: string, server: () => Server | undefined) => {
    const restarts: number[] = []
    return () => {
      const now = Date.now()
      while (restarts[0] !== undefined && restarts[0] < now - 60_000) restarts.shift()
      if (options.supervise !== true || isStopping()) return
      if (restarts.push(now) > restartsPerMinuteMax)
        return log(`${name} keeps ending by itself and is not started again: see ${folder.file('logs')}`)
      log(`${name} ended by itself and is started again`)
      server()
        ?.start()
        .catch((error: unknown) =>
          log(`${name} could not be started again: ${error instanceof Error ? error.message : 'unknown error'}`),
        )
    }
  }
}
