import { sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const prices = table('price', { version: z.number(), payout_point_price: z.number(), posted_at: z.string() })
export type Price = RowOf<typeof prices>

/** Returns the price in force. */
export function currentPrice(db: Db): Promise<Price> {
  return db.one(sql.prepared('current_price', prices.row)`
    SELECT ${prices.list} FROM price ORDER BY version DESC LIMIT 1`)
}

export function insertPrice(tx: Tx, price: number, accountId: number, at: Date): Promise<Price> {
  return tx.one(sql.type(prices.row)`
    INSERT INTO price (payout_point_price, posted_by, posted_at) VALUES (${price}, ${accountId}, ${at.toISOString()})
    RETURNING ${prices.list}`)
}
