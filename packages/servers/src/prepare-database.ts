import { readFileSync } from 'node:fs'
import pg from 'pg'

export interface SchemaRoles {
  /** Schema, and prefix of its roles: lower case letters, digits and `_`. */
  readonly schema: string
  readonly migratorPassword: string
  readonly appPassword: string
  /** Password of the role `<schema>_app_b`, while the service moves to it or uses it; without it nobody logs in as that role. */
  readonly appBPassword?: string
}

export interface PrepareOptions {
  readonly superuserUrl: string
  /** Created if it does not exist. */
  readonly database: string
  readonly schemas: readonly SchemaRoles[]
  /** Largest number of connections of a role in the whole cluster. Default 60. */
  readonly connectionLimit?: number
}

export interface DatabaseUrls {
  /** May change the schema; for migrations only. */
  readonly migrator: string
  /** Rows only. */
  readonly app: string
}

const rolesSql = readFileSync(new URL('../../../infra/postgres/roles.sql', import.meta.url), 'utf8')
/** Arbitrary key of the lock under which one preparation runs at a time: the databases of a cluster share roles. */
const preparationLock = 7_243_001

/** Creates the database, and each schema with its roles and privileges, if they are missing. Returns the addresses of the roles by schema. */
export async function prepareDatabase(options: PrepareOptions): Promise<Readonly<Record<string, DatabaseUrls>>> {
  const { superuserUrl, database, schemas, connectionLimit = 60 } = options
  for (const name of [database, ...schemas.map(({ schema }) => schema)]) {
    if (!/^[a-z][a-z0-9_]{0,50}$/.test(name)) throw new Error(`not a name for a schema or database: ${name}`)
  }
  await withClient(superuserUrl, async (cluster) => {
    await cluster.query('SELECT pg_advisory_lock($1)', [preparationLock])
    const { rowCount } = await cluster.query('SELECT FROM pg_database WHERE datname = $1', [database])
    if (rowCount === 0) await cluster.query(`CREATE DATABASE ${pg.escapeIdentifier(database)} TEMPLATE template0`)
    await withClient(databaseUrl(superuserUrl, database), async (client) => {
      for (const { schema, migratorPassword, appPassword, appBPassword = '' } of schemas) {
        await client.query(
          fillIn(rolesSql, {
            schema,
            migrator_password: migratorPassword,
            app_password: appPassword,
            app_b_password: appBPassword,
            connection_limit: String(connectionLimit),
          }),
        )
      }
    })
  })
  return Object.fromEntries(
    schemas.map(({ schema, migratorPassword, appPassword }) => [
      schema,
      {
        migrator: databaseUrl(superuserUrl, database, `${schema}_migrator`, migratorPassword),
        app: databaseUrl(superuserUrl, database, `${schema}_app`, appPassword),
      },
    ]),
  )
}

/** Returns an address with another database and, if given, another user. */
function databaseUrl(url: string, database: string, user?: string, password?: string): string {
  const result = new URL(url)
  result.pathname = `/${database}`
  if (user !== undefined) result.username = user
  if (password !== undefined) result.password = encodeURIComponent(password)
  return result.href
}

/** Replaces `:'name'` as psql does. */
function fillIn(sql: string, variables: Readonly<Record<string, string>>): string {
  return sql.replaceAll(/:'(\w+)'/g, (_, name: string) => {
    const value = variables[name]
    if (value === undefined) throw new Error(`roles.sql asks for ${name}, which is not given`)
    return pg.escapeLiteral(value)
  })
}

/** Runs work on a connection and closes it. If the connection breaks, the next query of the work fails. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
