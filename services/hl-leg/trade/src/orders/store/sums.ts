import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const sumsRow = z
  .object({ used: z.string(), reserved: z.string(), open: z.number(), first_expires: z.string().nullable() })
  .transform(({ used, reserved, open, first_expires }) => ({
    usedUsdc: used,
    reservedUsdc: reserved,
    open,
    firstExpiresAt: first_expires === null ? null : new Date(first_expires),
  }))
/**
 * What the opening live orders of an owner use: today, and in unresolved orders; and how many of the account that asks
 * are unresolved, with the end of the first one.
 */
export type TradeSums = z.output<typeof sumsRow>

/**
 * Adds the opening live orders of an owner up. A resolved order counts what it executed, an unresolved one its size at
 * its reference price; one that was prepared, never signed and has expired counts nothing. The order `without` is left out.
 */
export function tradeSums(
  db: Db,
  {
    ownerId,
    accountId,
    without,
  }: { readonly ownerId: number; readonly accountId: number; readonly without: number | null },
  now: Date,
): Promise<TradeSums> {
  const at = now.toISOString()
  const day = at.slice(0, 10)
  const counted = sql.fragment`(state IN ('offered', 'signed') OR (state = 'prepared' AND expires_at > ${at}))`
  // Two index scans of one owner: the orders of the day, and unresolved ones of the day before.
  return db.one(sql.type(sumsRow)`
    SELECT
      coalesce(sum(CASE WHEN ${counted} THEN notional_usdc ELSE filled_notional_usdc END) FILTER (WHERE day = ${day}), 0) AS used,
      coalesce(sum(notional_usdc) FILTER (WHERE ${counted}), 0) AS reserved,
      (count(*) FILTER (WHERE ${counted} AND account_id = ${accountId}))::int AS open,
      min(expires_at) FILTER (WHERE ${counted} AND account_id = ${accountId}) AS first_expires
    FROM trade_order
    WHERE owner_id = ${ownerId} AND mode = 'live' AND opening AND (day = ${day} OR resolved_at IS NULL)
      AND id IS DISTINCT FROM ${without}::bigint`)
}

const countFirstRow = z.object({ count: z.number(), first: z.string().nullable() })

/** Returns how many closes an account asked for since an instant, and when the first one was. */
export async function closesSince(
  db: Db,
  accountId: number,
  since: Date,
): Promise<{ readonly count: number; readonly first: Date | null }> {
  const row = await db.one(sql.type(countFirstRow)`
    SELECT count(*)::int AS count, min(prepared_at) AS first FROM trade_order
    WHERE account_id = ${accountId} AND prepared_at > ${since.toISOString()} AND mode = 'live' AND NOT opening`)
  return { count: row.count, first: row.first === null ? null : new Date(row.first) }
}
