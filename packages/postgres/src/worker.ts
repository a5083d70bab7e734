import { sql, type Pool, type Tx } from './pool.ts'

/** How long the statements and locks of a worker's transaction may take. */
export interface WorkerLimits {
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
}

/** Runs a worker's statements in one transaction under its own limits; hitting one rejects with an outage of Postgres. */
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

/** True for an error that says that a table is not there. */
export const isTableMissing = (error: unknown): boolean => hasCode(error, ['42P01'])

/** True for a statement cancelled by its timeout, or a lock that was not had in time. */
export const hitWorkerLimit = (error: unknown): boolean => hasCode(error, ['57014', '55P03'])

function hasCode(error: unknown, codes: readonly unknown[]): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (codes.includes(Reflect.get(cause, 'code'))) return true
  return false
}
