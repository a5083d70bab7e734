import { sql, type Pool, type Tx } from '@svc/postgres'

/** Reads in one snapshot, so that everything that `read` returns agrees. */
export function inSnapshot<T>(pool: Pool, read: (tx: Tx) => Promise<T>): Promise<T> {
  return pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`)
    return read(tx)
  })
}
