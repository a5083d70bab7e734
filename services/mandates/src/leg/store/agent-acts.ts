import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

/** A row that is younger is left as it is. */
const KEPT = sql.fragment`interval '1 minute'`

const noColumns = z.object({})

/** Notes a request of an agent that names a mandate, at most once a minute; nothing for a mandate without a leg, or one of another agent. */
export async function noteActOf(db: Db, publicId: string, agentId: number, now: Date): Promise<void> {
  const at = now.toISOString()
  // A row that is young is not locked either: that would be a write, which every call would wait for.
  await db.query(sql.prepared('note_act_of', noColumns)`
    INSERT INTO agent_act AS known (mandate_id, at)
    SELECT id, ${at} FROM mandate WHERE public_id = ${publicId} AND agent_id = ${agentId} AND hl_leg
      AND NOT EXISTS (SELECT FROM agent_act WHERE mandate_id = id AND agent_act.at > ${at}::timestamptz - ${KEPT})
    ON CONFLICT (mandate_id) DO UPDATE SET at = excluded.at WHERE known.at <= excluded.at - ${KEPT}`)
}
