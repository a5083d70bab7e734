import { json, sql, table, type Db, type RowOf } from '@svc/postgres'
import { z } from 'zod'

/** What an observation leaves for other processes. */
export interface StoredPrices {
  readonly minute: Date
  readonly venueTime: number | null
  readonly print: string
  readonly rates: ReadonlyMap<string, number>
  readonly quotes: Buffer
}

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

const states = table('venue_state', {
  exchange: z.string(),
  minute: z.string(),
  venue_time: z.string().nullable(),
  rates: json(z.record(z.string(), z.number())),
  print: z.string(),
  quotes: z.instanceof(Buffer),
  listed_at: z.string().nullable(),
  terms: z.instanceof(Buffer).nullable(),
})
export type StoredState = RowOf<typeof states>
const stateRates = states.pick('exchange', 'minute', 'venue_time', 'rates')
const statePrices = states.omit('listed_at', 'terms')
const replacedPrices = statePrices.onConflict(['exchange'])

export async function putPrices(db: Db, exchange: string, prices: StoredPrices): Promise<void> {
  const { venueTime, print, quotes } = prices
  const [minute, rates] = [prices.minute.toISOString(), Object.fromEntries(prices.rates)]
  const row = { exchange, minute, venue_time: isoOf(venueTime), rates, print, quotes }
  await db.query(sql.unsafe`${statePrices.insert(row)} ${replacedPrices}`)
}

export async function putTerms(
  db: Db,
  exchange: string,
  { listedAt, packed }: { readonly listedAt: Date; readonly packed: Buffer },
): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO venue_state (exchange, listed_at, terms) VALUES (${exchange}, ${listedAt.toISOString()}, ${sql.binary(packed)})
    ON CONFLICT (exchange) DO UPDATE SET listed_at = excluded.listed_at, terms = excluded.terms`)
}

/** Returns the states of venues that were observed after a time. */
export async function venueStates(db: Db, exchanges: readonly string[], after: Date): Promise<readonly StoredState[]> {
  return db.any(sql.type(states.row)`
    SELECT ${states.list} FROM venue_state
    WHERE exchange = ANY(${sql.array([...exchanges], 'text')}) AND minute > ${after.toISOString()}`)
}

/** Returns rates and minutes of venues that were observed after a time. */
export async function venueRates(
  db: Db,
  exchanges: readonly string[],
  after: Date,
): Promise<readonly RowOf<typeof stateRates>[]> {
  return db.any(sql.type(stateRates.row)`
    SELECT ${stateRates.list} FROM venue_state
    WHERE exchange = ANY(${sql.array([...exchanges], 'text')}) AND minute > ${after.toISOString()}`)
}

const instanceIdAtRow = z.object({ instance_id: z.number(), at: z.string() })

/** Returns when the newest stored book of each instance was observed, since a time. */
export async function lastBooks(
  db: Db,
  exchanges: readonly string[],
  since: Date,
): Promise<readonly { readonly instance_id: number; readonly at: string }[]> {
  return db.any(sql.type(instanceIdAtRow)`
    SELECT id AS instance_id, max(minute) AS at FROM observation, unnest(instance_ids, depth_2pct_usd) AS book (id, depth)
    WHERE exchange = ANY(${sql.array([...exchanges], 'text')}) AND minute >= ${since.toISOString()} AND depth IS NOT NULL
    GROUP BY id`)
}
