import { sql, type Tx } from '@svc/postgres'
import { z } from 'zod'

const usedRow = z.object({ used: z.number() })

/** Returns the Cherry of paid reads of an account that belong to a UTC day: held and captured. */
export async function spentOn(tx: Tx, accountId: number, day: string): Promise<number> {
  const found = await tx.maybeOne(sql.prepared('spending_day_read', usedRow)`
    SELECT held + captured AS used FROM spending_day WHERE account_id = ${accountId} AND day = ${day}::date`)
  return found?.used ?? 0
}

interface AccountDay {
  readonly accountId: number
  readonly day: string
}

/** Adds to what an account holds on a UTC day. */
export async function holdOnDay(tx: Tx, { accountId, day }: AccountDay, amount: number): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO spending_day (account_id, day, held) VALUES (${accountId}, ${day}::date, ${amount})
    ON CONFLICT (account_id, day) DO UPDATE SET held = spending_day.held + excluded.held`)
}

/** Turns what an account held on a UTC day into what it captured of it. */
export async function endOnDay(
  tx: Tx,
  { accountId, day }: AccountDay,
  { held, captured }: { readonly held: number; readonly captured: number },
): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE spending_day SET held = held - ${held}, captured = captured + ${captured}
    WHERE account_id = ${accountId} AND day = ${day}::date`)
}
