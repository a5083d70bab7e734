import { sql, type Tx } from '@svc/postgres'
import { z } from 'zod'

const spentRow = z.object({ spent: z.number() })

/**
 * Locks what an account spends until the end of the transaction, and returns what it has ever spent. Taken before any
 * ledger account, so that spending of an account is sequential and never deadlocks.
 */
export async function lockSpending(tx: Tx, accountId: number): Promise<number> {
  // The update changes nothing: it locks the row, whoever made it, in one statement.
  const { spent } = await tx.one(sql.prepared('spending_lock', spentRow)`
    INSERT INTO spending (account_id) VALUES (${accountId})
    ON CONFLICT (account_id) DO UPDATE SET spent = spending.spent RETURNING spent`)
  return spent
}

/** Adds to what an account, locked by `lockSpending`, has ever spent. */
export async function addSpent(tx: Tx, accountId: number, amount: number): Promise<void> {
  await tx.query(sql.unsafe`UPDATE spending SET spent = spent + ${amount} WHERE account_id = ${accountId}`)
}
