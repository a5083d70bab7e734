import { withClient, type Server, type Servers } from '@svc/servers'
import { eventually } from '@svc/testing'
import { PATIENCE } from './patience.ts'
import { databaseOf } from './picture.ts'
import { recovered } from './postgres.ts'
import { promote } from './standby.ts'

/**
 * Makes a replica a cluster of its own that keeps some schemas, while the primary keeps the others. The services of these schemas
 * must have stopped; the others go on. Each cluster then drops what the other one keeps.
 */
export async function split(primary: Servers, replica: Servers, moved: readonly string[]): Promise<void> {
  const { rows } = await withClient(primary.postgres.url, (client) =>
    client.query<{ at: string }>('SELECT pg_current_wal_lsn() AS at'),
  )
  await eventually(async () => hasReplayed(replica.postgres, rows[0]?.at ?? ''), PATIENCE)
  // The primary must no longer wait for a replica that leaves.
  await withClient(primary.postgres.url, async (client) => {
    await client.query('ALTER SYSTEM RESET synchronous_standby_names')
    await client.query('SELECT pg_reload_conf()')
  })
  await promote(replica)
  await recovered(replica.postgres)
  const all = await schemasOf(primary.postgres)
  await drop(primary.postgres, moved)
  await drop(
    replica.postgres,
    all.filter((schema) => !moved.includes(schema)),
  )
}

async function hasReplayed({ url }: Server, at: string): Promise<boolean> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ has: boolean }>('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS has', [at]),
  )
  return rows[0]?.has === true
}

/** Returns the schemas of services that a cluster keeps. */
export async function schemasOf(postgres: Server): Promise<readonly string[]> {
  const { rows } = await withClient(databaseOf(postgres), (client) =>
    client.query<{ nspname: string }>(
      `SELECT nspname FROM pg_namespace JOIN pg_roles o ON o.oid = nspowner WHERE o.rolname = nspname || '_owner' ORDER BY 1`,
    ),
  )
  return rows.map(({ nspname }) => nspname)
}

const drop = (postgres: Server, schemas: readonly string[]) =>
  withClient(databaseOf(postgres), async (client) => {
    for (const schema of schemas) await client.query(`DROP SCHEMA "${schema}" CASCADE`)
  })
