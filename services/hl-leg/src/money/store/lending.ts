import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const units = z.object({ lent: z.string().transform(BigInt) })

/** Serialises decisions that the bounds of lending limit. */
export async function lockLending(tx: Tx, network: string): Promise<void> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${`lending:${network}`}, 0))`)
}

/**
 * Returns what the house lends to all legs of a network, without debts. The rules are those of `lentTo`, for each mandate:
 * fundings that were not cancelled, turned back or turned into a debt, less what landed on the way back; nothing once a
 * transfer that ends the leg is confirmed.
 */
export function lentToAll(db: Db, network: string): Promise<bigint> {
  return db.oneFirst(sql.type(units)`
    SELECT coalesce(sum(greatest(sent - back, 0)), 0) AS lent FROM (
      SELECT coalesce(sum(amount) FILTER (
          WHERE kind = 'fund' AND state NOT IN ('cancelled', 'turned_back', 'leg_debt')), 0) AS sent,
        coalesce(sum(amount) FILTER (WHERE kind IN ('return', 'payment') AND venue = 'landed'), 0) AS back,
        bool_or(last AND state = 'confirmed') AS ended
      FROM transfer WHERE network = ${network} GROUP BY public_id) m
    WHERE NOT ended`)
}
