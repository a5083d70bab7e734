import type { VenueFile } from '@svc/contracts/market-data/venue-file'
import { z } from 'zod'
import type { Wallets } from './rules/transfers.ts'
import type { Book, Candle, HourCandle, ListedMarket, Quote, Side, Trade } from './rules/venue.ts'

/** Reads ccxt's unified answers: every number must be finite, every price positive. */

const loose = z.unknown().optional()
const positive = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null
const notNegative = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
const finite = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)

const marketRow = z.object({
  symbol: z.string(),
  base: z.string(),
  quote: z.string(),
  spot: z.literal(true),
  active: loose,
  taker: loose,
  created: loose,
  precision: z.object({ amount: loose }).partial().optional(),
  limits: z
    .object({ cost: z.object({ min: loose }).partial().optional() })
    .partial()
    .optional(),
  // Gemini lists names of pairs alone, without members.
  info: z.union([z.record(z.string(), z.unknown()), z.string().transform(() => ({}))]),
})

const CURRENCIES_MAX = 20_000
const NETWORKS_MAX = 50

/** Tickers that can be part of a path; assets with other tickers are left out. */
const ASSET = /^[A-Z0-9$.-]{1,32}$/

const NAME_MEMBERS = ['english_name', 'base_name'] as const

function word(info: Readonly<Record<string, unknown>>, members: readonly string[]): string | null {
  for (const name of members) {
    const value = info[name]
    if (typeof value === 'string' && value.length > 0) return value.slice(0, 100)
    if (typeof value === 'boolean') return `${name}=${value}`
  }
  return null
}

/**
 * Returns a market of ccxt's list; null if it is not a readable spot pair. ccxt treats a missing status as inactive; here
 * the market is then unreadable, because only a statement of the venue is evidence. `member` is the member that states it.
 */
export function readMarket(raw: unknown, member: VenueFile['status']): ListedMarket | null {
  const parsed = marketRow.safeParse(raw)
  if (!parsed.success) return null
  const { base, quote, symbol, active, taker, created, precision, limits, info } = parsed.data
  if (!ASSET.test(base) || !ASSET.test(quote) || symbol !== `${base}/${quote}`) return null
  const status = member === null ? null : word(info, [member])
  if (member !== null && status === null) return null
  return {
    symbol,
    base,
    quote,
    name: word(info, NAME_MEMBERS),
    trading: active !== false,
    status,
    listedAt: positive(created),
    takerFee: finite(taker),
    amountStep: positive(precision?.amount),
    costMin: notNegative(limits?.cost?.min),
  }
}

const record = z.record(z.string(), z.record(z.string(), z.unknown()))

/** Returns quotes by symbol from a ticker answer. Bid and ask of a crossed pair are null. */
export function readQuotes(raw: unknown): Map<string, Quote> {
  const quotes = new Map<string, Quote>()
  for (const [symbol, row] of Object.entries(record.parse(raw))) {
    const bid = positive(row['bid'])
    const ask = positive(row['ask'])
    const crossed = bid !== null && ask !== null && bid > ask
    quotes.set(symbol, {
      symbol,
      bid: crossed ? null : bid,
      ask: crossed ? null : ask,
      last: positive(row['last']),
      quoteVolume24h: notNegative(row['quoteVolume']),
      change24hPct: finite(row['percentage']),
      at: positive(row['timestamp']),
    })
  }
  return quotes
}

const level = z.tuple([z.number().positive().finite(), z.number().nonnegative().finite()], z.unknown())
const bookRow = z.object({ symbol: z.string(), bids: z.array(level), asks: z.array(level), timestamp: loose })

function side(
  levels: readonly (readonly [number, number, ...unknown[]])[],
  better: (a: number, b: number) => boolean,
): Side {
  const read: (readonly [number, number])[] = []
  for (const [price, amount] of levels) {
    const last = read.at(-1)
    if (last !== undefined && !better(last[0], price)) throw new SyntaxError('the levels of the book are out of order')
    if (amount > 0) read.push([price, amount])
  }
  return read
}

/** Returns a book of ccxt. Throws if it is malformed or out of order. Crossed books are returned; the caller judges them. */
export function readBook(
  raw: unknown,
  more: Pick<Book, 'receivedAt' | 'latencyMs' | 'limit' | 'venueTime' | 'synthetic'>,
): Book {
  const { symbol, bids, asks, timestamp } = bookRow.parse(raw)
  return {
    symbol,
    bids: side(bids, (a, b) => a > b),
    asks: side(asks, (a, b) => a < b),
    at: positive(timestamp),
    ...more,
  }
}

const tradeRow = z.object({
  timestamp: z.number().positive(),
  price: z.number().positive(),
  amount: z.number().nonnegative(),
  side: z.enum(['buy', 'sell']).nullish(),
  id: z.string().nullish(),
})

export function readTrades(raw: unknown): Trade[] {
  return z
    .array(tradeRow)
    .parse(raw)
    .map(({ timestamp, price, amount, side: taker, id }) => ({
      at: timestamp,
      price,
      amount,
      side: taker ?? null,
      id: id ?? null,
    }))
}

const candleRow = z.tuple(
  [z.number(), loose, loose, loose, z.number().positive(), z.number().nonnegative()],
  z.unknown(),
)

export function readCandles(raw: unknown): Candle[] {
  return z
    .array(candleRow)
    .parse(raw)
    .map(([at, , , , close, volume]) => ({ at, close, volume }))
    .toSorted((a, b) => a.at - b.at)
}

const hourRow = z.tuple(
  [z.number(), loose, z.number().positive(), z.number().positive(), z.number().positive(), z.number().nonnegative()],
  z.unknown(),
)

export function readHours(raw: unknown): HourCandle[] {
  return z
    .array(hourRow)
    .parse(raw)
    .map(([at, , high, low, close, volume]) => ({ at, high, low, close, volume }))
    .toSorted((a, b) => a.at - b.at)
}

const flagOf = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null)
const walletRows = z.record(
  z.string(),
  z.object({ networks: z.record(z.string(), z.object({ deposit: loose, withdraw: loose })).optional() }),
)

/** Returns open and closed wallets by currency; a currency without networks is left out. */
export function readWallets(raw: unknown): Wallets {
  const currencies = Object.entries(walletRows.parse(raw)).slice(0, CURRENCIES_MAX)
  return new Map(
    currencies.flatMap(([code, { networks = {} }]) => {
      const known = Object.entries(networks).slice(0, NETWORKS_MAX)
      if (known.length === 0) return []
      return [
        [
          code,
          known.map(([network, { deposit, withdraw }]) => ({
            network,
            deposit: flagOf(deposit),
            withdraw: flagOf(withdraw),
          })),
        ] as const,
      ]
    }),
  )
}
