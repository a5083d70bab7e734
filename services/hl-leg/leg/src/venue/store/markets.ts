import type { Network } from '@svc/hyperliquid'
import { instant, sql, table, typed, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const decimal = typed('numeric', z.string())
const integer = typed('int4', z.number())
const flag = typed('bool', z.boolean())
const markets = table('venue_market', {
  coin: z.string(),
  dex: z.string(),
  asset: integer,
  sizeDecimals: integer,
  maxLeverage: integer,
  usdc: flag,
  listed: flag,
  mark: decimal,
  volume: decimal,
  readAt: typed('timestamptz', instant),
})
const { row: marketRow, list: columns } = markets
const stored = table('venue_market', { network: z.string(), ...markets.columns })
const onNewer = sql.fragment`${stored.onConflict(['network', 'coin'])} WHERE venue_market.read_at < excluded.read_at`
/** A market of the venue as last read. `usdc`: its collateral is USDC. Prices and volumes are decimal text. */
export type VenueMarket = RowOf<typeof markets>

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
  given: readonly VenueMarket[],
): Promise<void> {
  // One statement for all markets, in the order of their names so that two readers do not deadlock.
  const rows = given.map((one) => ({ ...one, network, dex })).toSorted((a, b) => (a.coin < b.coin ? -1 : 1))
  await tx.query(sql.unsafe`${stored.insertAll(rows)} ${onNewer}`)
  await tx.query(sql.unsafe`
    UPDATE venue_market SET listed = false
    WHERE network = ${network} AND dex = ${dex} AND listed
      AND coin <> ALL(${sql.array(
        given.map(({ coin }) => coin),
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
