import { sql, type Pool, type Tx } from './pool.ts'

/** Time limits of the statements and locks in a worker's transaction. */
export interface WorkerLimits {
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
}

/**
 * Runs the statements of a worker in one transaction with these limits. Reaching a limit rejects with an outage of
 * Postgres.
 */
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

/** Returns true for an error about a missing table. */
export const isTableMissing = (error: unknown): boolean => hasCode(error, ['42P01'])

/** Returns true for an error about a missing table, column or function, as when a release starts before its migrations. */
export const isSchemaBehind = (error: unknown): boolean => hasCode(error, ['42P01', '42703', '42883'])

/** Returns true for a statement that its timeout cancelled, or a lock that was not acquired in time. */
export const hitWorkerLimit = (error: unknown): boolean => hasCode(error, ['57014', '55P03'])

function hasCode(error: unknown, codes: readonly unknown[]): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (codes.includes(Reflect.get(cause, 'code'))) return true
  return false
}
