import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const legMarket = z.object({
  market_id: z.string(),
  title: z.string(),
  listed: z.boolean(),
  min_order_usdc: z.string(),
})
const listRow = z.object({
  read_at: z.string(),
  seeded: z.boolean(),
  items: z.array(legMarket).nullable(),
})

/** The markets of the leg as hl-leg listed them last. */
export interface LegMarketList {
  /** Time of the list, as the column has it. */
  readonly readAt: string
  /** Whether hl-leg has the seed of its keys. */
  readonly seeded: boolean
  readonly items: readonly z.output<typeof legMarket>[]
}

/** Stores the list in place of the previous one. */
export async function storeLegMarkets(
  db: Db,
  { seeded, items }: Pick<LegMarketList, 'seeded' | 'items'>,
  now: Date,
): Promise<void> {
  const kept = items.map(({ market_id, title, listed, min_order_usdc }) => ({
    market_id,
    title,
    listed,
    min_order_usdc,
  }))
  await db.query(sql.unsafe`
    INSERT INTO leg_market_list (items, seeded, read_at)
    VALUES (${JSON.stringify(kept)}::jsonb, ${seeded}, ${now.toISOString()})
    ON CONFLICT (single) DO UPDATE SET items = excluded.items, seeded = excluded.seeded, read_at = excluded.read_at`)
}

/** Returns the newest list; `known` if it is still the newest, null before the first. */
export async function newestLegMarkets(db: Db, known: LegMarketList | null): Promise<LegMarketList | null> {
  // The items of a list that the caller knows are not sent again: every draft asks.
  const row = await db.maybeOne(sql.prepared('newest_leg_markets', listRow)`
    SELECT read_at, seeded, CASE WHEN read_at IS DISTINCT FROM ${known?.readAt ?? null}::timestamptz THEN items END AS items
    FROM leg_market_list`)
  if (row === null) return null
  return row.items === null ? known : { readAt: row.read_at, seeded: row.seeded, items: row.items }
}
