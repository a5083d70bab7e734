import { sql, type Pool, type WorkerLimits } from '@svc/postgres'
import { z } from 'zod'

const TABLES = [
  'cursor',
  'block_anchor',
  'vault',
  'log',
  'revert_attempt',
  'watched_address',
  'deposit',
  'watched_transaction',
  'swept_factory',
  'outbox',
  'idempotency',
] as const

const nameRow = z.object({ name: z.string() })

/** Returns the names of this service's tables that do not exist. */
export async function missingTables(pool: Pool): Promise<readonly string[]> {
  const rows = await pool.any(sql.type(nameRow)`
    SELECT name FROM unnest(${sql.array([...TABLES], 'text')}) AS wanted (name) WHERE to_regclass(name) IS NULL`)
  return rows.map(({ name }) => name)
}

/** Returns the database URL with the timeouts of workers for every session, including those that only read. */
export function limitedUrl(postgresUrl: string, { statementTimeoutMs, lockTimeoutMs }: WorkerLimits): string {
  const url = new URL(postgresUrl)
  const limits = `-c statement_timeout=${statementTimeoutMs} -c lock_timeout=${lockTimeoutMs}`
  url.searchParams.set('options', `${url.searchParams.get('options') ?? ''} ${limits}`.trim())
  return url.href
}
