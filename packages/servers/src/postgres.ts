import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { DataFolder } from './data-folder.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import { postgresUser, type PostgresUser } from './postgres-user.ts'
import { fileProblem, ServerProblem } from './problem.ts'
import { createServer, type Server } from './server.ts'
import { systemEnvironment } from './system-environment.ts'

export interface PostgresOptions {
  readonly folder: DataFolder
  readonly port: number
  readonly superuserPassword: string
  /** False skips fsync, for disposable servers only: data survives a crash of the server, not of the machine. */
  readonly durable: boolean
  readonly onExit?: () => void
}

/** Returns the address for the superuser. */
export function superuserUrl(port: number, password: string): string {
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`
}

/** Creates the cluster of the data folder if it is missing, and starts Postgres on the loopback interface. */
export async function startPostgres(options: PostgresOptions): Promise<Server> {
  const { folder, port, durable } = options
  const binaries = postgresBinaries()
  const cluster = folder.file('postgres')
  const user = postgresUser(folder.path, cluster, binaries.postgres)
  if (existsSync(cluster)) await checkMajorVersion(cluster, binaries.postgres)
  else await createCluster(options, cluster, binaries.initdb, user)

  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 300,
    TimeZone: 'UTC',
    log_timezone: 'UTC',
    max_wal_size: '1GB',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  }
  const url = superuserUrl(port, options.superuserPassword)
  const server = createServer({
    name: 'Postgres',
    url,
    port,
    logFile: folder.file('logs', 'postgres.log'),
    command: [
      ...user.prefix,
      binaries.postgres,
      '-D',
      cluster,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    deathSignal: 'INT',
    stopSignal: 'SIGINT',
    ready: () => answers(url),
    transient: (log) => /lock file "postmaster\.pid" already exists|pre-existing shared memory block/.test(log),
    explain: (log) => {
      const reason = log
        .split('\n')
        .findLast((line) => /FATAL|PANIC/.test(line))
        ?.replace(/^.*(?:FATAL|PANIC):\s*/, '')
        .trim()
      return reason === undefined
        ? null
        : `The Postgres data in ${cluster} cannot be used (${reason}): restore the data folder from a backup, or remove ${folder.path} to start over.`
    },
    ...(options.onExit === undefined ? {} : { onExit: options.onExit }),
  })
  await server.start()
  return server
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch (error) {
    // Waiting does not correct a wrong password.
    if (error instanceof Error && 'code' in error && error.code === '28P01') {
      throw new ServerProblem(
        'Postgres refuses the password in secrets.json: restore that file from a backup, or remove the data folder to start over.',
      )
    }
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function checkMajorVersion(cluster: string, binary: string): Promise<void> {
  const file = join(cluster, 'PG_VERSION')
  const made = existsSync(file) ? readFileSync(file, 'utf8').trim() : null
  if (made === null) {
    throw new ServerProblem(
      `${cluster} is not a Postgres data folder (PG_VERSION is missing): restore it from a backup, or remove it to start over.`,
    )
  }
  const { output } = await run([binary, '--version'])
  const major = /\(PostgreSQL\) (\d+)/.exec(output)?.[1]
  if (made !== major) {
    throw new ServerProblem(
      `The data in ${cluster} was made by PostgreSQL ${made} and this is PostgreSQL ${major}: choose another folder with --data, or remove this one to start over.`,
    )
  }
}

/** Runs initdb in another folder and renames it, so that an interrupted run is never taken for a cluster. */
async function createCluster(
  { folder, superuserPassword }: PostgresOptions,
  cluster: string,
  initdb: string,
  user: PostgresUser,
): Promise<void> {
  const unfinished = `${cluster}.new`
  const passwordFile = folder.file('postgres-password')
  try {
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { mode: 0o700 })
    writeFileSync(passwordFile, superuserPassword, { mode: 0o600 })
    if (user.owner !== null) for (const path of [unfinished, passwordFile]) chownSync(path, user.owner, user.owner)
    const { code, output } = await run([
      ...user.prefix,
      initdb,
      '-D',
      unfinished,
      '--no-sync',
      '-U',
      'postgres',
      '--pwfile',
      passwordFile,
      '--auth=scram-sha-256',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
    ])
    if (code !== 0 || readdirSync(unfinished).length === 0) {
      const reason =
        output
          .split('\n')
          .findLast((line) => /error|fatal|could not|cannot/i.test(line))
          ?.trim() ?? 'no output'
      throw new ServerProblem(
        /no space left/i.test(output)
          ? `The disk of ${folder.path} is full: free some space or choose another folder with --data.`
          : `Postgres could not create its data in ${cluster} (${reason}): choose another folder with --data.`,
      )
    }
    renameSync(unfinished, cluster)
  } catch (error) {
    throw fileProblem(error, folder.path)
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

function run([command = '', ...args]: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...systemEnvironment(), LC_MESSAGES: 'C' },
    })
    let output = ''
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', (error) => resolve({ code: 127, output: error.message }))
    child.once('close', (code) => resolve({ code, output }))
  })
}
