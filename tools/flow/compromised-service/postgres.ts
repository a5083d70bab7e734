import { schemaOf, type Environment } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import pg from 'pg'

const SCHEMAS = contracts.filter(({ postgres }) => postgres).map(({ name }) => schemaOf(name))

const tables = `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S') AND n.nspname = ANY($1)`
const functions = `SELECT n.nspname AS schema, p.proname AS name, p.pronargs AS arguments
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = ANY($1)`
const foreignTexts = `SELECT count(*)::int AS n FROM pg_stat_activity
  WHERE usename <> current_user AND query NOT IN ('', '<insufficient privilege>')`

/** Statements that no service may run, whatever its schema. */
function forbidden(own: string, others: readonly string[], foreignPid: number): readonly string[] {
  return [
    ...others.flatMap((other) => [
      `SET ROLE ${other}_app`,
      `SET ROLE ${other}_owner`,
      `SET SESSION AUTHORIZATION ${other}_app`,
      `ALTER ROLE ${other}_app PASSWORD 'stolen'`,
      `GRANT ${other}_owner TO ${own}_app`,
      `GRANT USAGE ON SCHEMA ${other} TO ${own}_app`,
      `CREATE TABLE ${other}.planted (n int)`,
      `ALTER SCHEMA ${other} RENAME TO gone`,
      `DROP SCHEMA ${other} CASCADE`,
    ]),
    `SET ROLE ${own}_owner`,
    `SET ROLE ${own}_migrator`,
    'SET ROLE postgres',
    'SET SESSION AUTHORIZATION postgres',
    `ALTER ROLE ${own}_app SUPERUSER`,
    `ALTER ROLE ${own}_app CONNECTION LIMIT -1`,
    'CREATE ROLE intruder LOGIN',
    "ALTER ROLE postgres PASSWORD 'stolen'",
    `CREATE TABLE ${own}.planted (n int)`,
    `CREATE FUNCTION ${own}.planted() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
    `CREATE FUNCTION ${own}.now() RETURNS timestamptz LANGUAGE sql AS 'SELECT NULL::timestamptz'`,
    'CREATE TABLE public.planted (n int)',
    'CREATE TEMP TABLE planted (n int)',
    'CREATE SCHEMA planted',
    'CREATE DATABASE planted',
    'CREATE EXTENSION pg_stat_statements',
    'CREATE LANGUAGE plperlu',
    'CREATE PUBLICATION planted FOR ALL TABLES',
    "COPY (SELECT 1) TO PROGRAM 'id'",
    "COPY (SELECT 1) TO '/tmp/planted'",
    "SELECT pg_read_file('postgresql.conf')",
    "SELECT pg_ls_dir('.')",
    "SELECT lo_import('/etc/passwd')",
    'SELECT lo_create(0)',
    "SELECT lo_from_bytea(0, 'planted')",
    'SELECT * FROM pg_authid',
    'SELECT * FROM pg_shadow',
    'SELECT * FROM pg_hba_file_rules',
    'SELECT * FROM pg_statistic',
    `SELECT pg_terminate_backend(${foreignPid})`,
    `SELECT pg_cancel_backend(${foreignPid})`,
    'SELECT pg_reload_conf()',
    'SELECT pg_switch_wal()',
    "SELECT pg_create_physical_replication_slot('planted')",
    "ALTER SYSTEM SET log_statement = 'all'",
    'CHECKPOINT',
    'SET log_statement = none',
    'SET session_replication_role = replica',
    "SELECT set_config('session_preload_libraries', 'x', false)",
  ]
}

/** Returns what a role could do although it must not; empty if it is confined. */
export async function attackPostgres(service: string, environment: Environment): Promise<readonly string[]> {
  const url = environment['SVC_POSTGRES_URL']
  if (url === undefined) return []
  const own = schemaOf(service)
  const others = SCHEMAS.filter((schema) => schema !== own)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const allowed: string[] = []
  const tries = async (statement: string) => {
    // One message for all; the first ROLLBACK without a transaction is not an error.
    const done = await client.query(`ROLLBACK; BEGIN; ${statement}`).then(
      () => true,
      () => false,
    )
    if (done) allowed.push(statement)
  }
  try {
    const foreign = await client.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE usename <> current_user AND datname = current_database() LIMIT 1',
    )
    for (const statement of forbidden(own, others, foreign.rows[0]?.pid ?? 0)) await tries(statement)
    await client.query('ROLLBACK')
    const found = await client.query<{ schema: string; name: string }>(tables, [others])
    for (const { schema, name } of found.rows) {
      const table = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
      for (const statement of [
        `SELECT * FROM ${table} LIMIT 1`,
        `DELETE FROM ${table}`,
        `TRUNCATE ${table}`,
        `LOCK TABLE ${table} IN ACCESS SHARE MODE`,
      ])
        await tries(statement)
    }
    await client.query('ROLLBACK')
    const callable = await client.query<{ schema: string; name: string; arguments: number }>(functions, [others])
    for (const { schema, name, arguments: count } of callable.rows)
      await tries(`SELECT ${schema}.${name}(${Array.from({ length: count }, () => 'NULL').join(', ')})`)
    await client.query('ROLLBACK')
    const seen = await client.query<{ n: number }>(foreignTexts)
    if (seen.rows[0]?.n !== 0) allowed.push('reading the statements of others in pg_stat_activity')
  } finally {
    await client.end()
  }
  return [...allowed, ...(await otherDatabases(url))]
}

async function otherDatabases(url: string): Promise<readonly string[]> {
  const open: string[] = []
  for (const database of ['postgres', 'template1', 'template0']) {
    const address = new URL(url)
    address.pathname = `/${database}`
    const client = new pg.Client({ connectionString: address.href })
    await client.connect().then(
      () => open.push(`connecting to ${database}`),
      () => {},
    )
    await client.end().catch(() => {})
  }
  return open
}

/** Returns the functions that run as their owner with their caller's search path. */
export const UNFIXED_SEARCH_PATHS = `SELECT n.nspname || '.' || p.proname AS name FROM pg_proc p
  JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE p.prosecdef AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND NOT EXISTS (SELECT FROM unnest(p.proconfig) AS setting WHERE setting LIKE 'search_path=%')
  ORDER BY 1`
