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

/** Tables of this service that are not there. */
export async function missingTables(pool: Pool): Promise<readonly string[]> {
  const rows = await pool.any(sql.type(z.object({ name: z.string() }))`
    SELECT name FROM unnest(${sql.array([...TABLES], 'text')}) AS wanted (name) WHERE to_regclass(name) IS NULL`)
  return rows.map(({ name }) => name)
}

/** Address of the database whose sessions have the limits of workers, also where they only read. */
export function limitedUrl(postgresUrl: string, { statementTimeoutMs, lockTimeoutMs }: WorkerLimits): string {
  const url = new URL(postgresUrl)
  const limits = `-c statement_timeout=${statementTimeoutMs} -c lock_timeout=${lockTimeoutMs}`
  url.searchParams.set('options', `${url.searchParams.get('options') ?? ''} ${limits}`.trim())
  return url.href
}
