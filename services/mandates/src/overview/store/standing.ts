import type { Standing } from '@svc/contracts/mandates/overview'
import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import { alive } from '#mandate/store/mandates.ts'

const row = z.object({ signed: z.boolean(), draft: z.boolean() })

/** Returns how far the mandates of an account are. A mandate past its end counts no longer as signed. */
export async function standingOf(db: Db, accountId: number, now: Date): Promise<Standing> {
  // Each part is a scan of one index that ends at the first row.
  const { signed, draft } = await db.one(sql.type(row)`
    SELECT
      EXISTS (SELECT 1 FROM mandate WHERE owner_id = ${accountId} AND state IN ('signed', 'working') AND ends_at > ${now.toISOString()})
      OR EXISTS (SELECT 1 FROM mandate WHERE agent_id = ${accountId} AND state IN ('signed', 'working') AND ends_at > ${now.toISOString()}) AS signed,
      EXISTS (SELECT 1 FROM mandate WHERE owner_id = ${accountId} AND state = 'draft' AND ${alive(now)}) AS draft`)
  if (signed) return 'signed'
  return draft ? 'draft' : 'none'
}
