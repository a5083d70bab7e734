import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

/** Age from which the Hall is stale. */
const STALE_MS = 600_000

/** When the Hall was computed. */
export interface HallTime {
  /** Null before the first time. */
  readonly computed_at: string | null
  /** True if it is older than 10 minutes, or was never computed. */
  readonly stale: boolean
}

const computedAtRow = z.object({ computed_at: z.string() })

/** Returns when the Hall was computed, and whether that is too long ago. */
export async function hallTime(db: Db, now: Date): Promise<HallTime> {
  const row = await db.maybeOne(sql.type(computedAtRow)`SELECT computed_at FROM hall_snapshot`)
  if (row === null) return { computed_at: null, stale: true }
  return { computed_at: row.computed_at, stale: now.getTime() - Date.parse(row.computed_at) > STALE_MS }
}
