import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import type { Cap, OwnerLimits } from '../rules/effective-cap.ts'

/** Where an order comes from: the terminal, whose cap its owner may raise, or the trade pages, whose limits only go down. */
export type Door = 'terminal' | 'pages'

const capRow = z
  .object({ per_order_usdc: z.string(), daily_usdc: z.string() })
  .transform(({ per_order_usdc, daily_usdc }) => ({ perOrderUsdc: per_order_usdc, dailyUsdc: daily_usdc }))

/** Returns the cap of the terminal that an owner raised; null for that of the settings. */
export function readTerminalCap(db: Db, ownerId: number): Promise<Cap | null> {
  return db.maybeOne(sql.type(capRow)`
    SELECT per_order_usdc, daily_usdc FROM order_cap WHERE owner_id = ${ownerId} AND door = 'terminal'`)
}

/** Stores the cap of the terminal. */
export async function storeTerminalCap(db: Db, ownerId: number, cap: Cap, now: Date): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO order_cap (owner_id, door, per_order_usdc, daily_usdc, changed_at)
    VALUES (${ownerId}, 'terminal', ${cap.perOrderUsdc}, ${cap.dailyUsdc}, ${now.toISOString()})
    ON CONFLICT (owner_id, door) DO UPDATE SET per_order_usdc = excluded.per_order_usdc,
      daily_usdc = excluded.daily_usdc, changed_at = excluded.changed_at`)
}

const limitsRow = z
  .object({ per_order_usdc: z.string().nullable(), daily_usdc: z.string().nullable() })
  .transform(({ per_order_usdc, daily_usdc }) => ({ perOrderUsdc: per_order_usdc, dailyUsdc: daily_usdc }))

/** Returns the limits that an owner set on the trade pages, null for each figure that the owner left. */
export async function readLimits(db: Db, ownerId: number): Promise<OwnerLimits> {
  const limits = await db.maybeOne(sql.type(limitsRow)`
    SELECT CASE WHEN per_order_set THEN per_order_usdc END AS per_order_usdc,
      CASE WHEN daily_set THEN daily_usdc END AS daily_usdc
    FROM order_cap WHERE owner_id = ${ownerId} AND door = 'pages'`)
  return limits ?? { perOrderUsdc: null, dailyUsdc: null }
}

/** Stores the limits that an owner set; a figure that the owner left is stored with the default of now, which nothing reads. */
export async function storeLimits(
  db: Db,
  ownerId: number,
  { perOrderUsdc, dailyUsdc }: OwnerLimits,
  fallback: Cap,
  now: Date,
): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO order_cap (owner_id, door, per_order_usdc, per_order_set, daily_usdc, daily_set, changed_at)
    VALUES (${ownerId}, 'pages', ${perOrderUsdc ?? fallback.perOrderUsdc}, ${perOrderUsdc !== null},
      ${dailyUsdc ?? fallback.dailyUsdc}, ${dailyUsdc !== null}, ${now.toISOString()})
    ON CONFLICT (owner_id, door) DO UPDATE SET per_order_usdc = excluded.per_order_usdc,
      per_order_set = excluded.per_order_set, daily_usdc = excluded.daily_usdc, daily_set = excluded.daily_set,
      changed_at = excluded.changed_at`)
}
