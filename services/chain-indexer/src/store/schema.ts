import { sql, type Pool, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** True when the tables of this service are there. */
export async function hasSchema(pool: Pool): Promise<boolean> {
  return pool.oneFirst(
    sql.type(z.object({ there: z.boolean() }))`SELECT to_regclass('watched_transaction') IS NOT NULL AS there`,
  )
}

/** How long the statements and locks of a worker's transaction may take. */
export interface WorkerLimits {
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
}

/** Runs a worker's writes in one transaction under its own limits; hitting one rejects with an outage of Postgres. */
export function workerTransaction<T>(
  pool: Pool,
  { statementTimeoutMs, lockTimeoutMs }: WorkerLimits,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`
      SELECT set_config('statement_timeout', ${String(statementTimeoutMs)}, true),
             set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`)
    return work(tx)
  })
}
