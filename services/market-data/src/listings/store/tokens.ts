import type { Pair } from '@svc/contracts/market-data/board'
import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { KnownInstance } from '../rules/listing.ts'
import type { ListedMarket } from '#venues/rules/venue.ts'

const pairRow = z.object({
  token_id: z.string(),
  exchange: z.string(),
  symbol: z.string(),
  base: z.string(),
  quote: z.string(),
  name: z.string().nullable(),
})

/** Returns the requested pairs that are on the board, keyed `<exchange> <symbol>`; delisted pairs are absent. */
export async function findPairs(
  db: Db,
  asked: readonly { readonly exchange: string; readonly symbol: string }[],
): Promise<Map<string, Pair>> {
  const rows = await db.any(sql.prepared('find_pairs', pairRow)`
    SELECT token.token_id, exchange, symbol, base, quote, name
    FROM unnest(${sql.array(
      asked.map((one) => one.exchange),
      'text',
    )}, ${sql.array(
      asked.map((one) => one.symbol),
      'text',
    )}) AS asked (exchange, symbol)
    JOIN token USING (exchange, symbol)
    JOIN token_instance AS instance USING (instance_id)
    WHERE instance.trading <> 'delisted'`)
  return new Map(rows.map((row) => [`${row.exchange} ${row.symbol}`, row]))
}

const tokenIdRow = z.object({ token_id: z.string() })

/** Returns the token id of a pair that is or was listed; null for any other. */
export async function tokenIdOf(db: Db, exchange: string, symbol: string): Promise<string | null> {
  return db.maybeOneFirst(sql.type(tokenIdRow)`
    SELECT token_id FROM token WHERE exchange = ${exchange} AND symbol = ${symbol}`)
}

const exchangeRow = z.object({ exchange: z.string() })

/** Returns the exchanges whose market list has been read at least once. */
export async function listedExchanges(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.anyFirst(sql.type(exchangeRow)`SELECT exchange FROM venue WHERE list_seq > 0`)
  return new Set(rows)
}

const instanceRow = z.object({
  instance_id: z.number(),
  token_id: z.string(),
  symbol: z.string(),
  trading: z.enum(['trading', 'halted', 'delisted']),
  trading_since: z.string(),
  missing_lists: z.number(),
  missing_since: z.string().nullable(),
})

/** Returns the newest instance of every symbol of a venue. */
export async function knownInstances(db: Db, exchange: string): Promise<readonly KnownInstance[]> {
  const rows = await db.any(sql.type(instanceRow)`
    SELECT instance_id, token.token_id, symbol, trading, trading_since, missing_lists, missing_since
    FROM token JOIN token_instance USING (instance_id) WHERE exchange = ${exchange}`)
  return rows.map((row) => ({
    instanceId: row.instance_id,
    tokenId: row.token_id,
    symbol: row.symbol,
    trading: row.trading,
    tradingSince: Date.parse(row.trading_since),
    missingLists: row.missing_lists,
    missingSince: row.missing_since === null ? null : Date.parse(row.missing_since),
  }))
}

const instanceIdListedAtRow = z.object({ instance_id: z.number(), listed_at: z.string().nullable() })

/** Returns the newest instance of every symbol of a venue with its listing time: the venue's, or when we first saw it. */
export async function listedInstances(
  db: Db,
  exchange: string,
): Promise<readonly (KnownInstance & { readonly listedAt: number | null })[]> {
  const known = await knownInstances(db, exchange)
  const rows = await db.any(sql.type(instanceIdListedAtRow)`
    SELECT instance_id, listed_at FROM token JOIN token_instance USING (instance_id)
    WHERE exchange = ${exchange} AND listed_at IS NOT NULL`)
  const listed = new Map(rows.map((row) => [row.instance_id, Date.parse(row.listed_at ?? '')]))
  return known.map((one) => ({ ...one, listedAt: listed.get(one.instanceId) ?? null }))
}

/** A market that starts a new instance: its symbol is new, or its last instance was delisted. */
export interface NewInstance {
  readonly tokenId: string
  readonly exchange: string
  readonly market: ListedMarket
  readonly predecessorId: number | null
  readonly listedAt: Date | null
}

/** Inserts instances and makes each the current instance of its symbol. */
export async function insertInstances(tx: Tx, rows: readonly NewInstance[], now: Date): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map(({ tokenId, exchange, market, predecessorId, listedAt }) => [
    tokenId,
    exchange,
    market.symbol,
    market.base,
    market.quote,
    market.name?.slice(0, 200) ?? null,
    predecessorId,
    listedAt?.toISOString() ?? null,
  ])
  const types = ['text', 'text', 'text', 'text', 'text', 'text', 'int4', 'timestamptz'] as const
  await tx.query(sql.unsafe`
    WITH listed (token_id, exchange, symbol, base, quote, name, predecessor_id, listed_at) AS (
      SELECT * FROM ${sql.unnest(values, [...types])}
    ), fresh AS (
      INSERT INTO token_instance (token_id, predecessor_id, listed_at, first_seen_at, trading_since)
      SELECT token_id, predecessor_id, listed_at, ${now.toISOString()}, ${now.toISOString()} FROM listed ORDER BY token_id
      RETURNING instance_id, token_id
    )
    INSERT INTO token (token_id, exchange, symbol, base, quote, name, instance_id)
    SELECT token_id, exchange, symbol, base, quote, name, instance_id FROM listed JOIN fresh USING (token_id)
    ON CONFLICT (token_id) DO UPDATE SET instance_id = excluded.instance_id, name = excluded.name, name_ko = NULL`)
}

/** State of an instance after a market list. */
export interface InstanceUpdate {
  readonly instanceId: number
  readonly trading: 'trading' | 'halted' | 'delisted'
  readonly tradingSince: Date
  readonly missingLists: number
  readonly missingSince: Date | null
  readonly delistCause: string | null
}

export async function updateInstances(tx: Tx, updates: readonly InstanceUpdate[]): Promise<void> {
  if (updates.length === 0) return
  const values = updates.map((one) => [
    one.instanceId,
    one.trading,
    one.tradingSince.toISOString(),
    one.missingLists,
    one.missingSince?.toISOString() ?? null,
    one.delistCause,
  ])
  await tx.query(sql.unsafe`
    UPDATE token_instance SET trading = changed.trading, trading_since = changed.trading_since,
      missing_lists = changed.missing_lists, missing_since = changed.missing_since, delist_cause = changed.delist_cause
    FROM ${sql.unnest(values, ['int4', 'text', 'timestamptz', 'int2', 'timestamptz', 'text'])}
      AS changed (instance_id, trading, trading_since, missing_lists, missing_since, delist_cause)
    WHERE token_instance.instance_id = changed.instance_id`)
}

const tradingRow = z.object({
  exchange: z.string(),
  instance_id: z.number(),
  symbol: z.string(),
  base: z.string(),
  quote: z.string(),
})
export type TradingInstance = z.output<typeof tradingRow>

/** Returns every instance that trades. */
export async function tradingInstances(db: Db, exchanges: readonly string[]): Promise<readonly TradingInstance[]> {
  return db.any(sql.type(tradingRow)`
    SELECT exchange, instance_id, symbol, base, quote
    FROM token JOIN token_instance USING (instance_id)
    WHERE exchange = ANY(${sql.array([...exchanges], 'text')}) AND trading = 'trading' ORDER BY instance_id`)
}
