import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { placeOf, schemaOf, type Contract } from '@svc/contract'
import { migrate } from '@svc/postgres'
import { prepareDatabase, withClient } from '@svc/servers'
import type pg from 'pg'
import { inject } from 'vitest'

export interface DisposableDatabase {
  /** Address for the service's app role, which may change rows only. */
  readonly url: string
  readonly migratorUrl: string
  /** Address for the superuser in this database, who sees what the roles may not. */
  readonly superuserUrl: string
  drop(): Promise<void>
}

const repository = fileURLToPath(new URL('../../..', import.meta.url))
/** Arbitrary key of the lock under which a cluster builds one template at a time. */
const templateLock = 7_243_002
const cloneTimeoutMs = 300_000

/** Creates a database with the migrated schema and the real roles of a service, cloned from a template that is built once. */
export async function disposableDatabase(
  service: string,
  roleOf: Contract['roleOf'] = null,
): Promise<DisposableDatabase> {
  const { postgresUrl } = inject('infrastructure')
  const schema = schemaOf(service)
  const directory = join(repository, placeOf({ name: service, roleOf }).migrations)
  const name = `t_${schema}_${randomBytes(6).toString('hex')}`
  await withClient(postgresUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [templateLock])
    const template = await templateOf(client, postgresUrl, directory, schema)
    await cloneOf(client, name, template)
    await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`)
    await client.query(`GRANT CONNECT ON DATABASE ${name} TO ${schema}_app, ${schema}_migrator`)
  })
  return {
    url: urlOf(postgresUrl, name, `${schema}_app`),
    migratorUrl: urlOf(postgresUrl, name, `${schema}_migrator`),
    superuserUrl: urlOf(postgresUrl, name),
    drop: () =>
      withClient(
        postgresUrl,
        async (client) => void (await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
      ),
  }
}

/** Returns the name of the migrated template, which depends on all migration files; only a complete one is marked as template. */
async function templateOf(client: pg.Client, postgresUrl: string, directory: string, schema: string): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of [join(repository, 'packages/postgres/migrations'), directory]) {
    for (const file of existsSync(folder) ? readdirSync(folder).sort() : [])
      hash.update(file).update(readFileSync(join(folder, file)))
  }
  hash.update(readFileSync(join(repository, 'infra/postgres/roles.sql')))
  const template = `tpl_${schema}_${hash.digest('hex').slice(0, 12)}`
  const { rows } = await client.query<{ datistemplate: boolean }>(
    'SELECT datistemplate FROM pg_database WHERE datname = $1',
    [template],
  )
  if (rows[0]?.datistemplate === true) return template
  await client.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`)
  await prepareDatabase({
    superuserUrl: postgresUrl,
    database: template,
    schemas: [{ schema, appPassword: passwordOf(`${schema}_app`), migratorPassword: passwordOf(`${schema}_migrator`) }],
    connectionLimit: 250,
  })
  // A service without migrations still has the tables of the kit.
  const own = existsSync(directory) ? directory : mkdtempSync(join(tmpdir(), 'svc-no-migrations-'))
  try {
    await migrate({ url: urlOf(postgresUrl, template, `${schema}_migrator`), schema, directory: own })
  } finally {
    if (own !== directory) rmSync(own, { recursive: true })
  }
  await client.query(`ALTER DATABASE ${template} WITH IS_TEMPLATE true`)
  return template
}

/** Clones a template; Postgres refuses while a connection to the template is closing. */
async function cloneOf(client: pg.Client, name: string, template: string): Promise<void> {
  const deadline = Date.now() + cloneTimeoutMs
  for (;;) {
    try {
      // By files: through the WAL a clone writes all its pages twice.
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
      return
    } catch (error) {
      const inUse = error instanceof Error && 'code' in error && error.code === '55006'
      if (!inUse || Date.now() > deadline) throw error
    }
  }
}

/** Returns a fixed password, because runs that share a server share its roles. */
function passwordOf(role: string): string {
  return `test-${role}`
}

function urlOf(postgresUrl: string, database: string, role?: string): string {
  const url = new URL(postgresUrl)
  url.pathname = `/${database}`
  if (role !== undefined) {
    url.username = role
    url.password = passwordOf(role)
  }
  return url.href
}
