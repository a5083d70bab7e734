import { instant, sql, table, units, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const payments = table('pool_payment', {
  network: z.string(),
  venue_hash: z.string(),
  public_id: z.string(),
  owner_address: z.string(),
  to_debt: units,
  to_leg: units,
  rest: units,
  venue_at: instant,
})
/** A payment from an owner to the pool that no transfer announced. Base units of USDC. */
export type PoolPayment = RowOf<typeof payments>

/** Stores how a payment is divided; returns false if it was divided before. */
export async function insertPayment(tx: Tx, one: PoolPayment): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`${payments.insert(one)} ON CONFLICT DO NOTHING`)
  return rowCount > 0
}

/** Returns the payments of mandates that no transfer announced. */
export function paymentsOf(db: Db, publicIds: readonly string[]): Promise<readonly PoolPayment[]> {
  return db.any(sql.type(payments.row)`
    SELECT ${payments.list} FROM pool_payment WHERE public_id = ANY(${sql.array([...publicIds], 'text')})`)
}
