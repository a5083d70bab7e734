import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const priceRow = z.object({ version: z.number(), payout_point_price: z.number(), posted_at: z.string() })
export type Price = z.output<typeof priceRow>

/** Returns the price in force. */
export function currentPrice(db: Db): Promise<Price> {
  return db.one(sql.prepared('current_price', priceRow)`
    SELECT version, payout_point_price, posted_at FROM price ORDER BY version DESC LIMIT 1`)
}

export function insertPrice(tx: Tx, price: number, accountId: number, at: Date): Promise<Price> {
  return tx.one(sql.type(priceRow)`
    INSERT INTO price (payout_point_price, posted_by, posted_at) VALUES (${price}, ${accountId}, ${at.toISOString()})
    RETURNING version, payout_point_price, posted_at`)
}
