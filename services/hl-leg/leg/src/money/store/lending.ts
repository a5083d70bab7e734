import { sql, units, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const lentRow = z.object({ lent: units })

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
  return db.oneFirst(sql.type(lentRow)`
    SELECT coalesce(sum(greatest(sent - back, 0)), 0) AS lent FROM (
      SELECT coalesce(sum(amount) FILTER (
          WHERE kind = 'fund' AND state NOT IN ('cancelled', 'turned_back', 'leg_debt')), 0) AS sent,
        coalesce(sum(amount) FILTER (WHERE kind IN ('return', 'payment') AND venue = 'landed'), 0) AS back,
        bool_or(last AND state = 'confirmed') AS ended
      FROM transfer WHERE network = ${network} GROUP BY public_id) m
    WHERE NOT ended`)
}

const counts = z.object({ today: z.number(), of_owner: z.number() })

/** Counts the activations of the UTC day, and those of all mandates of an owner at any time; refused ones do not count. */
export async function countActivations(
  db: Db,
  { network, ownerId, now }: { readonly network: string; readonly ownerId: number; readonly now: Date },
): Promise<{ readonly today: number; readonly ofOwner: number }> {
  const day = new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000).toISOString()
  // An index holds the activations alone: one for each address at most.
  const { today, of_owner } = await db.one(sql.type(counts)`
    SELECT count(*) FILTER (WHERE t.opened_at >= ${day})::int AS today,
      count(*) FILTER (WHERE l.owner_id = ${ownerId})::int AS of_owner
    FROM transfer t JOIN leg l USING (public_id)
    WHERE t.network = ${network} AND t.kind = 'activation' AND t.state <> 'refused'`)
  return { today, ofOwner: of_owner }
}
