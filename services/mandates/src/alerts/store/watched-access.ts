import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const watchedRow = z.object({ id: z.number(), agentId: z.number().nullable(), open: z.array(z.string()) })

/** A mandate with the agent that acts for it; `agentId` is null if the mandate is over. `open` names the ends of its open alerts. */
export type WatchedAccess = z.output<typeof watchedRow>

/**
 * Returns mandates after an id, by id: those in force with an agent, and those with an open alert of the kind. Locks
 * nothing; a transaction that changes an alert locks the mandate.
 */
export function mandatesWithAccess(
  db: Db,
  kind: string,
  afterId: number,
  max: number,
): Promise<readonly WatchedAccess[]> {
  const open = sql.fragment`FROM alert a WHERE a.mandate_id = m.id AND a.kind = ${kind} AND a.resolved_at IS NULL`
  return db.any(sql.type(watchedRow)`
    SELECT m.id, CASE WHEN m.state IN ('signed', 'working', 'paused') THEN m.agent_id END AS "agentId",
      ARRAY(SELECT a.about ${open} ORDER BY a.about) AS open
    FROM mandate m
    WHERE m.id > ${afterId} AND ((m.state IN ('signed', 'working', 'paused') AND m.agent_id IS NOT NULL) OR EXISTS (SELECT ${open}))
    ORDER BY m.id LIMIT ${max}`)
}
