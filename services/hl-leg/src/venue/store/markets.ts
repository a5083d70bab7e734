import type { Network } from '@svc/hyperliquid'
import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const marketRow = z
  .object({
    coin: z.string(),
    dex: z.string(),
    asset: z.number(),
    size_decimals: z.number(),
    max_leverage: z.number(),
    usdc: z.boolean(),
    listed: z.boolean(),
    mark: z.string(),
    volume: z.string(),
    read_at: z.string(),
  })
  .transform((row) => ({
    coin: row.coin,
    dex: row.dex,
    asset: row.asset,
    sizeDecimals: row.size_decimals,
    maxLeverage: row.max_leverage,
    usdc: row.usdc,
    listed: row.listed,
    mark: row.mark,
    volume: row.volume,
    readAt: new Date(row.read_at),
  }))
/** A market of the venue as last read. `usdc`: its collateral is USDC. Prices and volumes are decimal text. */
export type VenueMarket = z.output<typeof marketRow>

const columns = sql.fragment`coin, dex, asset, size_decimals, max_leverage, usdc, listed, mark, volume, read_at`

/** Returns a market by the venue's name; null if it was never read. */
export function readMarket(db: Db, network: Network, coin: string): Promise<VenueMarket | null> {
  return db.maybeOne(sql.prepared('read_market', marketRow)`
    SELECT ${columns} FROM venue_market WHERE network = ${network} AND coin = ${coin}`)
}

/** Lists markets with collateral in USDC on some dexes, the greatest volume first. */
export function listMarkets(
  db: Db,
  network: Network,
  { dexes, listed, max }: { readonly dexes: readonly string[]; readonly listed: boolean; readonly max: number },
): Promise<readonly VenueMarket[]> {
  return db.any(sql.type(marketRow)`
    SELECT ${columns} FROM venue_market
    WHERE network = ${network} AND usdc AND listed = ${listed} AND dex = ANY(${sql.array([...dexes], 'text')})
    ORDER BY volume DESC, coin LIMIT ${max}`)
}

/** Stores the markets of a dex as they were read together; a market that is not among them is not listed any more. */
export async function storeMarkets(
  tx: Tx,
  network: Network,
  dex: string,
  markets: readonly VenueMarket[],
): Promise<void> {
  const json = JSON.stringify(
    markets.map((market) => ({
      coin: market.coin,
      asset: market.asset,
      size_decimals: market.sizeDecimals,
      max_leverage: market.maxLeverage,
      usdc: market.usdc,
      listed: market.listed,
      mark: market.mark,
      volume: market.volume,
      read_at: market.readAt.toISOString(),
    })),
  )
  // One statement for all markets, in the order of their names so that two readers do not deadlock.
  await tx.query(sql.unsafe`
    INSERT INTO venue_market (network, dex, coin, asset, size_decimals, max_leverage, usdc, listed, mark, volume, read_at)
    SELECT ${network}, ${dex}, one.* FROM jsonb_to_recordset(${json}::jsonb)
      AS one (coin text, asset int, size_decimals int, max_leverage int, usdc bool, listed bool, mark numeric, volume numeric, read_at timestamptz)
    ORDER BY one.coin
    ON CONFLICT (network, coin) DO UPDATE SET dex = excluded.dex, asset = excluded.asset,
      size_decimals = excluded.size_decimals, max_leverage = excluded.max_leverage, usdc = excluded.usdc,
      listed = excluded.listed, mark = excluded.mark, volume = excluded.volume, read_at = excluded.read_at
    WHERE venue_market.read_at < excluded.read_at`)
  await tx.query(sql.unsafe`
    UPDATE venue_market SET listed = false
    WHERE network = ${network} AND dex = ${dex} AND listed
      AND coin <> ALL(${sql.array(
        markets.map(({ coin }) => coin),
        'text',
      )})`)
}

const dexRow = z
  .object({ name: z.string(), place: z.number(), read_at: z.string() })
  .transform(({ name, place, read_at }) => ({ name, place, readAt: new Date(read_at) }))
/** A perpetual exchange of the venue with its place in the venue's list. */
export type VenueDex = z.output<typeof dexRow>

/** Returns the dexes that the venue's list named at its last reading. */
export function readDexes(db: Db, network: Network): Promise<readonly VenueDex[]> {
  return db.any(sql.type(dexRow)`
    SELECT name, place, read_at FROM venue_dex WHERE network = ${network} ORDER BY place LIMIT 200`)
}

/** Replaces the list of dexes by a newer reading; `names` stand at their places. */
export async function storeDexes(tx: Tx, network: Network, names: readonly string[], readAt: Date): Promise<void> {
  await tx.query(sql.unsafe`
    DELETE FROM venue_dex WHERE network = ${network} AND name <> ALL(${sql.array([...names], 'text')})`)
  await tx.query(sql.unsafe`
    INSERT INTO venue_dex (network, name, place, read_at)
    SELECT ${network}, name, place - 1, ${readAt.toISOString()}
    FROM unnest(${sql.array([...names], 'text')}) WITH ORDINALITY AS one (name, place) ORDER BY name
    ON CONFLICT (network, name) DO UPDATE SET place = excluded.place, read_at = excluded.read_at`)
}
