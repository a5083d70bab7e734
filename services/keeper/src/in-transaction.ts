import { workerTransaction, type Pool, type Tx, type WorkerLimits } from '@svc/postgres'

/** Runs work in one transaction under the limits of workers; hitting one rejects with an outage. */
export type InTransaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

export const inTransaction =
  (pool: Pool, limits: WorkerLimits): InTransaction =>
  (work) =>
    workerTransaction(pool, limits, work)
