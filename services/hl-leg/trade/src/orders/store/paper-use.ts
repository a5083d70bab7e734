import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const usedRow = z.object({ used: z.string() })

/** Returns what the opening paper orders of an owner filled on the UTC day of an instant; decimal text in USDC. */
export async function paperUseOf(db: Db, ownerId: number, now: Date): Promise<string> {
  const day = now.toISOString().slice(0, 10)
  const row = await db.maybeOne(sql.type(usedRow)`
    SELECT used_usdc AS used FROM paper_use WHERE owner_id = ${ownerId} AND day = ${day}`)
  return row?.used ?? '0'
}

/** Adds what an opening paper order filled to the day of its owner. */
export async function addPaperUse(tx: Tx, ownerId: number, notionalUsdc: string, now: Date): Promise<void> {
  const day = now.toISOString().slice(0, 10)
  // A later day begins at zero; an order of a process whose clock is behind counts on the day that has begun.
  await tx.query(sql.unsafe`
    INSERT INTO paper_use (owner_id, day, used_usdc) VALUES (${ownerId}, ${day}, ${notionalUsdc})
    ON CONFLICT (owner_id) DO UPDATE SET day = greatest(paper_use.day, excluded.day),
      used_usdc = excluded.used_usdc + CASE WHEN excluded.day > paper_use.day THEN 0 ELSE paper_use.used_usdc END`)
}
