import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const row = z
  .object({ public_id: z.string(), created_at: z.string() })
  .transform(({ public_id, created_at }) => [public_id, new Date(created_at)] as const)

/** Returns when the newest order of each leg began; legs without one are left out. */
export async function newestOrders(db: Db, publicIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const rows = await db.any(sql.type(row)`
    SELECT public_id, max(created_at) AS created_at FROM leg_order
    WHERE public_id = ANY(${sql.array([...publicIds], 'text')}) GROUP BY public_id`)
  return new Map(rows)
}
