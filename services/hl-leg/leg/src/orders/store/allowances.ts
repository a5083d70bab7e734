import type { Network } from '@svc/hyperliquid'
import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

export const allowanceRow = z
  .object({ actions_left: z.number(), read_at: z.string() })
  .transform(({ actions_left, read_at }) => ({ left: actions_left, readAt: new Date(read_at) }))
/** Actions that an account may still send, and when the venue said so. */
export type Allowance = z.output<typeof allowanceRow>

/** Stores what the venue said about an account. */
export async function storeAllowance(db: Db, network: Network, account: string, read: Allowance): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO venue_allowance (network, account, actions_left, read_at)
    VALUES (${network}, ${account}, ${read.left}, ${read.readAt.toISOString()})
    ON CONFLICT (network, account) DO UPDATE SET actions_left = excluded.actions_left, read_at = excluded.read_at`)
}
