import { sql, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** Returns the Cherry of paid reads of an account that belong to a UTC day: held and captured. */
export async function spentOn(tx: Tx, accountId: number, day: string): Promise<number> {
  const found = await tx.maybeOne(sql.prepared('spending_day_read', z.object({ used: z.number() }))`
    SELECT held + captured AS used FROM spending_day WHERE account_id = ${accountId} AND day = ${day}::date`)
  return found?.used ?? 0
}

/** Adds to, or takes from, what an account holds and has captured on a UTC day. */
export async function moveOnDay(
  tx: Tx,
  { accountId, day }: { readonly accountId: number; readonly day: string },
  { held, captured }: { readonly held: number; readonly captured: number },
): Promise<void> {
  await tx.query(
    sql.unsafe`INSERT INTO spending_day (account_id, day) VALUES (${accountId}, ${day}::date) ON CONFLICT DO NOTHING`,
  )
  await tx.query(sql.unsafe`
    UPDATE spending_day SET held = held + ${held}, captured = captured + ${captured}
    WHERE account_id = ${accountId} AND day = ${day}::date`)
}
