import { sql, units, type Db } from '@svc/postgres'
import { z } from 'zod'
import { utcDayOf } from '#approvals/store/day-use.ts'

const useRow = z.object({ mandate_id: z.number(), terms: z.unknown(), held: units, leg_used: units })
/** The newest signed terms of a mandate, what open items hold, and what orders of the leg use and reserve today. */
export type FollowUse = z.output<typeof useRow>

/** Returns what a new order of each mandate is judged by. */
export function followUse(db: Db, mandateIds: readonly number[], at: Date): Promise<readonly FollowUse[]> {
  const now = at.toISOString()
  // Three index scans for each mandate; the order is that of the ids.
  return db.any(sql.type(useRow)`
    SELECT asked.id AS mandate_id,
      (SELECT terms FROM signed_terms WHERE mandate_id = asked.id ORDER BY n DESC LIMIT 1) AS terms,
      (SELECT coalesce(sum(amount), 0) FROM approval
        WHERE mandate_id = asked.id AND status IN ('pending', 'approved') AND expires_at > ${now}) AS held,
      (SELECT coalesce(sum(CASE WHEN outcome IS NULL THEN reserved ELSE used END), 0) FROM leg_reservation
        WHERE mandate_id = asked.id AND day = ${utcDayOf(at)}) AS leg_used
    FROM unnest(${sql.array([...mandateIds], 'int8')}) AS asked (id) ORDER BY asked.id`)
}
