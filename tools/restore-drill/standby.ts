import { appendFileSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServers, withClient, type Server, type Servers } from '@svc/servers'
import { eventually } from '@svc/testing'
import { baseBackup, quoted } from './postgres.ts'
import { PATIENCE } from './patience.ts'

/**
 * Starts a replica of a running Postgres in another data folder, and has the primary answer a commit only when the replica
 * has it, as in production.
 */
export async function startReplica(primary: Servers, dataDir: string): Promise<Servers> {
  const cluster = join(dataDir, 'postgres')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  await baseBackup(primary.postgres, primary.folder.file('postgres'), { base: cluster, archive: '' })
  const owner = statSync(primary.folder.file('postgres')).uid
  mkdirSync(join(cluster, 'pg_wal'), { recursive: true, mode: 0o700 })
  writeFileSync(join(cluster, 'standby.signal'), '')
  const { port, password } = new URL(primary.postgres.url)
  const source = `host=127.0.0.1 port=${port} user=postgres password=${decodeURIComponent(password)}`
  appendFileSync(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = ${quoted(source)}\n`)
  for (const made of ['', 'pg_wal', 'standby.signal']) chownSync(join(cluster, made), owner, owner)
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(primary.folder.readJson('secrets.json')), { mode: 0o600 })
  const replica = await startServers({ dataDir, nats: false, redis: false, durable: false })
  await eventually(
    async () => (await one(primary.postgres, 'SELECT count(*) FROM pg_stat_replication')) === '1',
    PATIENCE,
  )
  await withClient(primary.postgres.url, async (client) => {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'`)
    await client.query('SELECT pg_reload_conf()')
  })
  await eventually(
    async () => (await one(primary.postgres, 'SELECT sync_state FROM pg_stat_replication')) === 'quorum',
    PATIENCE,
  )
  return replica
}

/** Makes a replica the primary. */
export async function promote({ postgres }: Servers): Promise<void> {
  await withClient(postgres.url, (client) => client.query('SELECT pg_promote()'))
}

async function one({ url }: Server, text: string): Promise<string | undefined> {
  const { rows } = await withClient(url, (client) => client.query<string[]>({ text, rowMode: 'array' }))
  return rows[0]?.[0]
}
