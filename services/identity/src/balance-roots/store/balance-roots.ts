import { sql, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** A root over all balances. */
export interface BalanceRoot {
  readonly day: string
  readonly accounts: number
  readonly root: string
  readonly computed_at: string
}

const rootRow = z.object({ root: z.string() })

/** Stores the root that is signed for a day. Returns false if another one was, or one of a later day. */
export async function keepRoot(tx: Tx, root: BalanceRoot, now: Date): Promise<boolean> {
  // One at a time: of two roots for a new day the second one must see the first.
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended('balance_roots', 0))`)
  const kept = await tx.maybeOne(sql.type(rootRow)`
    INSERT INTO balance_roots AS known (day, root, accounts, computed_at, signed_at)
    SELECT ${root.day}::date, ${root.root}, ${root.accounts}, ${root.computed_at}, ${now.toISOString()}
    WHERE NOT EXISTS (SELECT 1 FROM balance_roots WHERE day > ${root.day}::date)
    ON CONFLICT (day) DO UPDATE SET signed_at = excluded.signed_at
      WHERE known.root = excluded.root AND known.accounts = excluded.accounts AND known.computed_at = excluded.computed_at
    RETURNING root`)
  return kept !== null
}
