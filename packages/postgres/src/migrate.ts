import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'

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
