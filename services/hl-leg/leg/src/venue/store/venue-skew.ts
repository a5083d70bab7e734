import type { Network } from '@svc/hyperliquid'
import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const skewRow = z
  .object({ skew_ms: z.number(), at: z.string() })
  .transform(({ skew_ms, at }) => ({ skewMs: skew_ms, at: new Date(at) }))
/** How far the venue's clock was ahead of ours, and when. */
export type VenueSkew = z.output<typeof skewRow>

/** Returns the last comparison of the clocks; null before the first. */
export function readSkew(db: Db, network: Network): Promise<VenueSkew | null> {
  return db.maybeOne(sql.type(skewRow)`SELECT skew_ms, at FROM venue_clock WHERE network = ${network}`)
}

/** Stores a comparison of the clocks. */
export async function storeSkew(db: Db, network: Network, { skewMs, at }: VenueSkew): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO venue_clock (network, skew_ms, at) VALUES (${network}, ${skewMs}, ${at.toISOString()})
    ON CONFLICT (network) DO UPDATE SET skew_ms = excluded.skew_ms, at = excluded.at`)
}
