import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { serverBinary } from './binaries.ts'
import type { DataFolder } from './data-folder.ts'
import { ServerProblem } from './problem.ts'
import { createServer, type Server } from './server.ts'

/** A Redis user that sees only the keys under its prefix, and no channel. */
export interface RedisUser {
  readonly name: string
  readonly password: string
  /** A second password that is accepted too, while one replaces the other. */
  readonly nextPassword?: string
  /** For example `gw:`. */
  readonly keyPrefix: string
}

export interface RedisOptions {
  readonly folder: DataFolder
  readonly port: number
  /** Null: no password, anybody may do everything. */
  readonly access: { readonly adminPassword: string; readonly users: readonly RedisUser[] } | null
  readonly log: (line: string) => void
  readonly onExit?: () => void
}

/** Starts redis-server on the loopback interface, in memory only: its data may be lost. */
export async function startRedis({ folder, port, access, log, onExit }: RedisOptions): Promise<Server> {
  const binary = await serverBinary('redis-server', folder.path, log)
  const settings = [
    'bind 127.0.0.1',
    `port ${port}`,
    `dir ${JSON.stringify(folder.path)}`,
    'save ""',
    'appendonly no',
    'maxmemory 128mb',
    'maxmemory-policy volatile-ttl',
  ]
  if (access !== null) {
    folder.write('redis.acl', redisAcl(access.adminPassword, access.users))
    settings.push(`aclfile ${JSON.stringify(folder.file('redis.acl'))}`)
  }
  folder.write('redis.conf', `${settings.join('\n')}\n`)
  const url = access === null ? `redis://127.0.0.1:${port}` : redisUrl(port, 'default', access.adminPassword)
  const server = createServer({
    name: 'Redis',
    url,
    port,
    logFile: folder.file('logs', 'redis.log'),
    command: [binary.path, folder.file('redis.conf')],
    env: binary.env,
    deathSignal: 'TERM',
    stopSignal: 'SIGTERM',
    ready: () => redisAnswers(url),
    ...(onExit === undefined ? {} : { onExit }),
  })
  await server.start()
  return server
}

/** Returns the address for a user. */
export function redisUrl(port: number, user: string, password: string): string {
  return `redis://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${port}`
}

/**
 * Commands of a service: those that name their keys, which the server compares with the user's prefix. Commands without
 * keys are excluded, because they reveal all keys (SCAN, RANDOMKEY, DBSIZE, CLIENT TRACKING) or affect the whole server.
 * Client libraries need INFO to see whether the server is ready.
 */
const SERVICE_COMMANDS = [
  '-@all',
  ...['@string', '@hash', '@list', '@set', '@sortedset'].map((category) => `+${category}`),
  '-@dangerous -@admin -@blocking',
  ...['del', 'unlink', 'exists', 'expire', 'pexpire', 'persist', 'ttl', 'pttl', 'type'].map((name) => `+${name}`),
  ...['multi', 'exec', 'discard', 'watch', 'unwatch'].map((name) => `+${name}`),
  ...['eval', 'evalsha', 'script|load', 'script|exists', 'time'].map((name) => `+${name}`),
  ...['ping', 'echo', 'quit', 'select', 'client|setname', 'client|id', 'info'].map((name) => `+${name}`),
].join(' ')

/** Returns the ACL file: passwords as hashes; a service may use its prefix, and no command on the server or other keys. */
export function redisAcl(adminPassword: string, users: readonly RedisUser[]): string {
  const hash = (password: string) => `#${createHash('sha256').update(password).digest('hex')}`
  return [
    `user default on ${hash(adminPassword)} ~* &* +@all`,
    ...users.map(
      ({ name, password, nextPassword, keyPrefix }) =>
        `user ${name} on ${[password, nextPassword].flatMap((one) => (one === undefined ? [] : [hash(one)])).join(' ')} ~${keyPrefix}* resetchannels ${SERVICE_COMMANDS}`,
    ),
    '',
  ].join('\n')
}

/** Throws `ServerProblem` if a given server does not answer. */
export async function checkGivenRedis(url: string): Promise<void> {
  if (!(await redisAnswers(url)))
    throw new ServerProblem(`Redis does not answer at ${new URL(url).host}: start it or correct the URL.`)
}

/** Sends PING, after AUTH if the address has a password. */
function redisAnswers(url: string): Promise<boolean> {
  const { hostname, port, username, password } = new URL(url)
  const login =
    password === '' ? '' : command('AUTH', decodeURIComponent(username) || 'default', decodeURIComponent(password))
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 6379) }, () => socket.write(login + command('PING')))
    let text = ''
    const finish = (ready: boolean) => {
      socket.destroy()
      resolve(ready)
    }
    socket.setTimeout(2_000, () => finish(false))
    socket.once('error', () => finish(false))
    socket.once('close', () => finish(false))
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8')
      if (text.includes('+PONG')) finish(true)
      else if (text.startsWith('-')) finish(false)
    })
  })
}

function command(...words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`
}
