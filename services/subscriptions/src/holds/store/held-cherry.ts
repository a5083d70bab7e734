import { sql, type Tx } from '@svc/postgres'
import { z } from 'zod'

const idRow = z.object({ id: z.number() })

/** Returns the ledger account of what an account has set aside; opens it if there is none. */
export async function holdAccount(tx: Tx, accountId: number): Promise<number> {
  return (await tx.one(sql.type(idRow)`SELECT ledger_hold_account(${accountId}::bigint) AS id`)).id
}

const part = z.object({ part: z.enum(['back', 'seller', 'revenue']), transfer_id: z.number() })

/** Moves the Cherry of a hold to its ends, in one round trip. Throws if the hold was ended before. */
export async function endHeld(
  tx: Tx,
  hold: { readonly id: string; readonly account_id: number; readonly seller_id: number },
  parts: { readonly seller: number; readonly revenue: number; readonly back: number },
  at: Date,
): Promise<readonly z.output<typeof part>[]> {
  return tx.any(sql.prepared('ledger_end_hold', part)`
    SELECT part, transfer_id FROM ledger_end_hold(${hold.id}, ${hold.account_id}::bigint, ${hold.seller_id}::bigint,
      ${parts.seller}::bigint, ${parts.revenue}::bigint, ${parts.back}::bigint, ${at.toISOString()}::timestamptz)`)
}
