import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const units = z.string().transform(BigInt)
const row = z
  .object({
    listing_id: z.string(),
    vault_id: z.string(),
    start_usdc: units,
    equity_usdc: units,
    fills: z.number(),
    opened_at: z.string(),
    marked_at: z.string(),
    series: z.array(z.object({ at: z.string(), equity_usdc: units })),
  })
  .transform((book) => ({
    listingId: book.listing_id,
    vaultId: book.vault_id,
    startUsdc: book.start_usdc,
    equityUsdc: book.equity_usdc,
    fills: book.fills,
    openedAt: book.opened_at,
    markedAt: book.marked_at,
    /** The last mark of each UTC day, oldest first, at most 400. */
    series: book.series.map(({ at, equity_usdc }) => ({ at: new Date(at).toISOString(), equityUsdc: equity_usdc })),
  }))
/** What 1,000 USDC that follow a listing would have become. Amounts are base units. */
export type ShadowBook = z.output<typeof row>

/** Returns the shadow books of an agent, the house runner, by listing; empty for any other agent. */
export function shadowBooks(db: Db, agentId: number): Promise<readonly ShadowBook[]> {
  return db.any(sql.type(row)`
    SELECT listing_id, vault_id, start_usdc::text, equity_usdc::text, fills, opened_at, marked_at,
      coalesce((SELECT jsonb_agg(day ORDER BY day.at) FROM (
        SELECT DISTINCT ON (date_trunc('day', at, 'UTC')) at, equity_usdc::text AS equity_usdc FROM shadow_mark
        WHERE shadow_mark.listing_id = shadow_book.listing_id
        ORDER BY date_trunc('day', at, 'UTC') DESC, at DESC LIMIT 400) AS day), '[]') AS series
    FROM shadow_book WHERE agent_id = ${agentId} ORDER BY listing_id LIMIT 1000`)
}
