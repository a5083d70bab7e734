import { sql, type Db } from '@svc/postgres'

/** Notes that the agent of a mandate made a request that names it; at most one write a minute. */
export async function noteAgentAct(db: Db, mandateId: number, now: Date): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO agent_act AS known (mandate_id, at) VALUES (${mandateId}, ${now.toISOString()})
    ON CONFLICT (mandate_id) DO UPDATE SET at = excluded.at WHERE known.at <= excluded.at - interval '1 minute'`)
}
