import { instant, sql, units, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const paymentRow = z.object({
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
export type PoolPayment = z.output<typeof paymentRow>

/** Stores how a payment is divided; returns false if it was divided before. */
export async function insertPayment(tx: Tx, one: PoolPayment): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    INSERT INTO pool_payment (network, venue_hash, public_id, owner_address, to_debt, to_leg, rest, venue_at)
    VALUES (${one.network}, ${one.venue_hash}, ${one.public_id}, ${one.owner_address}, ${String(one.to_debt)},
      ${String(one.to_leg)}, ${String(one.rest)}, ${one.venue_at.toISOString()})
    ON CONFLICT DO NOTHING`)
  return rowCount > 0
}

/** Returns the payments of mandates that no transfer announced. */
export function paymentsOf(db: Db, publicIds: readonly string[]): Promise<readonly PoolPayment[]> {
  return db.any(sql.type(paymentRow)`
    SELECT network, venue_hash, public_id, owner_address, to_debt, to_leg, rest, venue_at FROM pool_payment
    WHERE public_id = ANY(${sql.array([...publicIds], 'text')})`)
}
