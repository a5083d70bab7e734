import { sql, type Db } from '@svc/postgres'

/** A row that is younger is left as it is. */
const KEPT = sql.fragment`interval '1 minute'`

/** Notes a request of an agent that names a mandate, at most once a minute; nothing for a mandate without a leg, or one of another agent. */
export async function noteActOf(db: Db, publicId: string, agentId: number, now: Date): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO agent_act AS known (mandate_id, at)
    SELECT id, ${now.toISOString()} FROM mandate WHERE public_id = ${publicId} AND agent_id = ${agentId} AND hl_leg
    ON CONFLICT (mandate_id) DO UPDATE SET at = excluded.at WHERE known.at <= excluded.at - ${KEPT}`)
}
