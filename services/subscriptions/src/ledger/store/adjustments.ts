import { instant, sql, table, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const idRow = z.object({ id: z.number() })

/** Returns a new adjustment number; the key of the transfer that books the adjustment contains it. */
export async function nextAdjustmentId(tx: Tx): Promise<number> {
  return (await tx.one(sql.type(idRow)`SELECT nextval(pg_get_serial_sequence('adjustment', 'id')) AS id`)).id
}

const adjustments = table('adjustment', {
  id: z.number(),
  accountId: z.number(),
  amount: z.number(),
  reason: z.string(),
  adminAccountId: z.number(),
  adminWallet: z.string(),
  requestId: z.string(),
  at: instant,
  transferId: z.number(),
})
export type Adjustment = RowOf<typeof adjustments>

/** Stores permanently who corrected a balance, and why. */
export async function insertAdjustment(tx: Tx, one: Adjustment): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO adjustment (${adjustments.names}) OVERRIDING SYSTEM VALUE VALUES (${adjustments.values(one)})`)
}
