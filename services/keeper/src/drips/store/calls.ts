import { sql, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** Stores that an account calls now; returns false, and stores nothing, if it called after `since`. */
export async function noteCall(tx: Tx, accountId: number, now: Date, since: Date): Promise<boolean> {
  // Two calls at once wait for each other at the row; the second finds the first.
  const { rowCount } = await tx.query(sql.unsafe`
    INSERT INTO gas_drip_call (account_id, called_at) VALUES (${accountId}, ${now.toISOString()})
    ON CONFLICT (account_id) DO UPDATE SET called_at = excluded.called_at
    WHERE gas_drip_call.called_at <= ${since.toISOString()}`)
  return rowCount > 0
}

const calledAtRow = z.object({ called_at: z.string() })

/** Returns when an account last called; null for one that never did. */
export async function lastCall(tx: Tx, accountId: number): Promise<Date | null> {
  const at = await tx.maybeOneFirst(sql.type(calledAtRow)`
    SELECT called_at FROM gas_drip_call WHERE account_id = ${accountId}`)
  return at === null ? null : new Date(at)
}

/** Deletes calls before a time and returns their number. */
export async function deleteCalls(tx: Tx, before: Date, max: number): Promise<number> {
  const { rowCount } = await tx.query(sql.unsafe`
    DELETE FROM gas_drip_call WHERE account_id IN (
      SELECT account_id FROM gas_drip_call WHERE called_at < ${before.toISOString()} ORDER BY called_at LIMIT ${max})`)
  return rowCount
}
