import { sql, type Db } from '@svc/postgres'

/** A row that is younger is left as it is. */
const KEPT = sql.fragment`interval '1 minute'`

/** Notes that the agent of a mandate made a request that names it; at most one write a minute. */
export async function noteAgentAct(db: Db, mandateId: number, now: Date): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO agent_act AS known (mandate_id, at) VALUES (${mandateId}, ${now.toISOString()})
    ON CONFLICT (mandate_id) DO UPDATE SET at = excluded.at WHERE known.at <= excluded.at - ${KEPT}`)
}

/** Notes a request of an agent that names a mandate; nothing for a mandate without a leg, or one of another agent. */
export async function noteActOf(db: Db, publicId: string, agentId: number, now: Date): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO agent_act AS known (mandate_id, at)
    SELECT id, ${now.toISOString()} FROM mandate WHERE public_id = ${publicId} AND agent_id = ${agentId} AND hl_leg
    ON CONFLICT (mandate_id) DO UPDATE SET at = excluded.at WHERE known.at <= excluded.at - ${KEPT}`)
}
