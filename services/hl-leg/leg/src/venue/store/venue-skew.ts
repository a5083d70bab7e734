import type { Network } from '@svc/hyperliquid'
import { instant, sql, table, type Db, type RowOf } from '@svc/postgres'
import { z } from 'zod'

const skews = table('venue_clock', { skewMs: z.number(), at: instant })
/** How far the venue's clock was ahead of ours, and when. */
export type VenueSkew = RowOf<typeof skews>
const stored = table('venue_clock', { network: z.enum(['testnet', 'mainnet']), ...skews.columns })
const replaced = stored.onConflict(['network'])

/** Returns the last comparison of the clocks; null before the first. */
export function readSkew(db: Db, network: Network): Promise<VenueSkew | null> {
  return db.maybeOne(sql.type(skews.row)`SELECT ${skews.list} FROM venue_clock WHERE network = ${network}`)
}

/** Stores a comparison of the clocks. */
export async function storeSkew(db: Db, network: Network, skew: VenueSkew): Promise<void> {
  await db.query(sql.unsafe`${stored.insert({ network, ...skew })} ${replaced}`)
}
