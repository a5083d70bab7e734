import { sql, type Db } from '@svc/postgres'

/** Returns true if an agent has, or had with a vault, a mandate of another owner without `public_proof`. */
export function hasPrivateOwners(db: Db, agentId: number, ownerId: number): Promise<boolean> {
  return db.exists(sql.unsafe`
    SELECT 1 FROM mandate m LEFT JOIN vault v ON v.mandate_id = m.id
    WHERE agent_id = ${agentId} AND owner_id <> ${ownerId} AND NOT public_proof
      AND (state IN ('signed', 'working', 'paused') OR state <> 'draft' AND v.mandate_id IS NOT NULL)`)
}

/** Returns true if the Hall names, or will name, a vault of an agent. */
export function isFindable(db: Db, agentId: number): Promise<boolean> {
  return db.exists(sql.unsafe`SELECT 1 FROM mandate WHERE agent_id = ${agentId} AND public_proof AND state <> 'draft'`)
}
