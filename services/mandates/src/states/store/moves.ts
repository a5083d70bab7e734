import { sql, type Tx } from '@svc/postgres'
import type { Move } from '../rules/states.ts'

/** Stores the new state of a mandate and its cause; only a draft keeps its expiry. */
export async function storeMove(tx: Tx, id: number, { to, cause }: Move, now: Date): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE mandate SET state = ${to}, state_cause = ${cause}, state_since = ${now.toISOString()},
      changed_at = ${now.toISOString()}, expires_at = CASE WHEN ${to} = 'draft' THEN expires_at END
    WHERE id = ${id}`)
}
