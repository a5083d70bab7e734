import { sql, type Tx } from '@svc/postgres'
import { z } from 'zod'

const countRow = z.object({ count: z.number() })

/** Counts a draft of a client on a UTC day. Returns the count, including this draft. */
export async function countDraftOf(tx: Tx, client: string, now: Date): Promise<number> {
  const { count } = await tx.one(sql.type(countRow)`
    INSERT INTO draft_count (client, day, count) VALUES (${client}, ${now.toISOString().slice(0, 10)}::date, 1)
    ON CONFLICT (client, day) DO UPDATE SET count = draft_count.count + 1
    RETURNING count`)
  return count
}

/** Deletes the counts of earlier days. */
export async function forgetDraftCounts(tx: Tx, now: Date): Promise<void> {
  await tx.query(sql.unsafe`DELETE FROM draft_count WHERE day < ${now.toISOString().slice(0, 10)}::date`)
}
