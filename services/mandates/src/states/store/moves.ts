import { sql, type Tx } from '@svc/postgres'
import type { Move } from '../rules/states.ts'

/** Stores the state that a mandate moved to, and why; only a draft keeps its expiry. */
export async function storeMove(tx: Tx, id: number, { to, cause }: Move, now: Date): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE mandate SET state = ${to}, state_cause = ${cause}, state_since = ${now.toISOString()},
      changed_at = ${now.toISOString()}, expires_at = CASE WHEN ${to} = 'draft' THEN expires_at END
    WHERE id = ${id}`)
}
