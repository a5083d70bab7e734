import { sql, type Tx } from '@svc/postgres'
import { z } from 'zod'

const idRow = z.object({ id: z.number() })

/** Returns a new adjustment number; the key of the transfer that books the adjustment contains it. */
export async function nextAdjustmentId(tx: Tx): Promise<number> {
  return (await tx.one(sql.type(idRow)`SELECT nextval(pg_get_serial_sequence('adjustment', 'id')) AS id`)).id
}

export interface Adjustment {
  readonly id: number
  readonly accountId: number
  readonly amount: number
  readonly reason: string
  readonly adminAccountId: number
  readonly adminWallet: string
  readonly requestId: string
  readonly at: Date
  readonly transferId: number
}

/** Stores permanently who corrected a balance, and why. */
export async function insertAdjustment(tx: Tx, one: Adjustment): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO adjustment (id, account_id, amount, reason, admin_account_id, admin_wallet, request_id, at, transfer_id) OVERRIDING SYSTEM VALUE
    VALUES (${one.id}, ${one.accountId}, ${one.amount}, ${one.reason}, ${one.adminAccountId}, ${one.adminWallet}, ${one.requestId},
      ${one.at.toISOString()}, ${one.transferId})`)
}
