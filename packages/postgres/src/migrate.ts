import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { z } from 'zod'
import { sql, type Pool } from './pool.ts'

const CONNECT_MS = 20_000
const KIT_MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

/**
 * Migrates a schema to the newest version: first the tables of the kit, then the files of the service. Connects as the
 * migrator role and works as the owner of the schema. Several processes may run it at once (advisory lock). Returns the
 * names of the applied files.
 */
export async function migrate(options: {
  readonly url: string
  readonly schema: string
  readonly directory: string
}): Promise<string[]> {
  const client = new pg.Client({ connectionString: options.url, connectionTimeoutMillis: CONNECT_MS })
  await client.connect()
  try {
    await client.query(`SET ROLE ${pg.escapeIdentifier(`${options.schema}_owner`)}`)
    await client.query(`SET search_path TO ${pg.escapeIdentifier(options.schema)}`)
    await client.query('SET statement_timeout = 0')
    const run = async (dir: string, table: string) =>
      runner({
        dbClient: client,
        dir,
        migrationsTable: table,
        schema: options.schema,
        direction: 'up',
        singleTransaction: true,
        advisoryLockMode: 'wait',
        logger: {
          debug: () => {},
          info: () => {},
          warn: () => {},
          error: (message) => process.stderr.write(`${message}\n`),
        },
      })
    const kit = await run(KIT_MIGRATIONS, 'migrations_kit')
    const own = await run(options.directory, 'migrations')
    await reserveHistory(client, options.schema)
    return [...kit, ...own].map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/**
 * Lets only the migrator write the history of migrations: a change by a service could repeat or skip a migration. The
 * lock is needed because grants are rows of the catalogue, which two sessions cannot change at once.
 */
async function reserveHistory(client: pg.Client, schema: string): Promise<void> {
  const app = pg.escapeIdentifier(`${schema}_app`)
  await client.query('BEGIN')
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`migrations of ${schema}`])
  await client.query(`REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON migrations_kit, migrations FROM ${app}`)
  await client.query('COMMIT')
}

const nameRow = z.object({ name: z.string() })

/** Returns a function that resolves to the migrations of this release that a schema lacks, in their order. */
export function schemaWatch(directory: string): (pool: Pool) => Promise<string[]> {
  let expected: Promise<string[]> | undefined
  return async (pool) => {
    expected ??= Promise.all([KIT_MIGRATIONS, directory].map(migrationNames)).then((names) => names.flat())
    const applied = new Set(
      await pool.anyFirst(sql.type(nameRow)`SELECT name FROM migrations_kit UNION ALL SELECT name FROM migrations`),
    )
    return (await expected).filter((name) => !applied.has(name))
  }
}

/** Returns the names of the migrations in a folder as their history has them; none for a folder that does not exist. */
async function migrationNames(directory: string): Promise<string[]> {
  const files = await readdir(directory).catch((error: unknown) => {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return []
    throw error
  })
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort()
}
