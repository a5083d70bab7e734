import { connect } from 'node:net'
import { binaryVersion, checkNatsVersion, serverBinary } from './binaries.ts'
import type { DataFolder } from './data-folder.ts'
import { natsConfig, type NatsUser } from './nats-config.ts'
import { ServerProblem } from './problem.ts'
import { createServer, type Server } from './server.ts'

export interface NatsOptions {
  readonly folder: DataFolder
  readonly port: number
  readonly users: readonly NatsUser[] | null
  readonly log: (line: string) => void
  readonly onExit?: () => void
}

export interface NatsServer extends Server {
  /** Applies new users and permissions; connections of remaining users stay open. */
  reload(users: readonly NatsUser[]): void
}

/** Starts nats-server with JetStream on the loopback interface. */
export async function startNats({ folder, port, users, log, onExit }: NatsOptions): Promise<NatsServer> {
  const binary = await serverBinary('nats-server', folder.path, log)
  checkNatsVersion(binaryVersion(binary), binary.path)
  const writeConfig = (wanted: readonly NatsUser[] | null) =>
    folder.write('nats.conf', natsConfig({ host: '127.0.0.1', port, storeDir: folder.file('nats'), users: wanted }))
  writeConfig(users)
  const url = `nats://127.0.0.1:${port}`
  const server = createServer({
    name: 'NATS',
    url,
    port,
    logFile: folder.file('logs', 'nats.log'),
    command: [binary.path, '-c', folder.file('nats.conf')],
    env: binary.env,
    deathSignal: 'TERM',
    stopSignal: 'SIGTERM',
    ready: async () => (await natsInfo(url)) !== null,
    ...(onExit === undefined ? {} : { onExit }),
  })
  await server.start()
  return {
    ...server,
    reload: (wanted) => {
      writeConfig(wanted)
      const pid = server.pid()
      if (pid !== null) process.kill(pid, 'SIGHUP')
    },
  }
}

/** Throws `ServerProblem` if a given server does not answer, is too old or lacks JetStream. */
export async function checkGivenNats(url: string): Promise<void> {
  const info = await natsInfo(url)
  if (info === null)
    throw new ServerProblem(`NATS does not answer at ${new URL(url).host}: start it or correct the URL.`)
  checkNatsVersion(info.version, `The NATS server at ${new URL(url).host}`)
  if (info.jetstream !== true)
    throw new ServerProblem(`The NATS server at ${new URL(url).host} has JetStream off: start it with -js.`)
}

interface NatsInfo {
  readonly version: string
  readonly jetstream?: boolean
}

/** Reads the INFO line that a server sends first; returns null after two seconds without one. */
export function natsInfo(url: string): Promise<NatsInfo | null> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 4222) })
    let text = ''
    const finish = (info: NatsInfo | null) => {
      socket.destroy()
      resolve(info)
    }
    socket.setTimeout(2_000, () => finish(null))
    socket.once('error', () => finish(null))
    socket.once('close', () => finish(null))
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8')
      const line = /^INFO (\{.*\})\s*\r\n/.exec(text)?.[1]
      if (line !== undefined) finish(JSON.parse(line) as NatsInfo)
    })
  })
}
