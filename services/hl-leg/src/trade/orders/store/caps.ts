import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

/** Which caps: those of the terminal, which an owner may raise, or those of the trade pages, which only go down. */
export type Door = 'terminal' | 'pages'

const capRow = z
  .object({ per_order_usdc: z.string(), daily_usdc: z.string() })
  .transform(({ per_order_usdc, daily_usdc }) => ({ perOrderUsdc: per_order_usdc, dailyUsdc: daily_usdc }))
/** Caps of an owner; decimal text. */
export type OwnCap = z.output<typeof capRow>

/** Returns the caps that an owner changed; null for those of the settings. */
export function readCap(db: Db, ownerId: number, door: Door): Promise<OwnCap | null> {
  return db.maybeOne(sql.type(capRow)`
    SELECT per_order_usdc, daily_usdc FROM order_cap WHERE owner_id = ${ownerId} AND door = ${door}`)
}

/** Stores the caps of an owner. */
export async function storeCap(db: Db, ownerId: number, door: Door, cap: OwnCap, now: Date): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO order_cap (owner_id, door, per_order_usdc, daily_usdc, changed_at)
    VALUES (${ownerId}, ${door}, ${cap.perOrderUsdc}, ${cap.dailyUsdc}, ${now.toISOString()})
    ON CONFLICT (owner_id, door) DO UPDATE SET per_order_usdc = excluded.per_order_usdc,
      daily_usdc = excluded.daily_usdc, changed_at = excluded.changed_at`)
}
