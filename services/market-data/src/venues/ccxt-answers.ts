import { isUnreadable, type RowReader } from '@svc/contracts/market-data/answer-rows'
import type { VenueFile } from '@svc/contracts/market-data/venue-file'
import { z } from 'zod'
import type { Wallets } from './rules/transfers.ts'
import { TIMES, timeIn } from './rules/venue-times.ts'
import type { Book, Candle, HourCandle, ListedMarket, MarketList, Quote, Side, Trade } from './rules/venue.ts'

/**
 * Reads ccxt's unified answers: every number must be finite, every price positive, every time within its window around now. A row
 * that cannot be read is left out and counted.
 */

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

/** How ccxt numbers the units of a precision. */
const DECIMAL_PLACES = 2
const TICK_SIZE = 4

/** Returns the smallest step of an amount by ccxt's precision, whose unit is its `precisionMode`; null if it states no step. */
export function amountStepOf(precision: unknown, mode: number): number | null {
  if (mode === TICK_SIZE) return positive(precision)
  const places = notNegative(precision)
  return mode === DECIMAL_PLACES && places !== null && places <= 30 ? Number(`1e-${Math.floor(places)}`) : null
}

/** What a market list is read with. */
export interface MarketsBy {
  /** The member that states the status; null if the venue lists trading pairs only. */
  readonly member: VenueFile['status']
  readonly precisionMode: number
  /** Milliseconds. */
  readonly now: number
}

/**
 * Returns a market of ccxt's list; null if it is not a readable spot pair. ccxt treats a missing status as inactive; here
 * the market is then unreadable, because only a statement of the venue is evidence.
 */
export function readMarket(raw: unknown, { member, precisionMode, now }: MarketsBy): ListedMarket | null {
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
    listedAt: timeIn(TIMES.past, created, now),
    takerFee: finite(taker),
    amountStep: amountStepOf(precision?.amount, precisionMode),
    costMin: notNegative(limits?.cost?.min),
  }
}

const aboutRow = z.object({ spot: loose, symbol: loose })

/**
 * Returns the spot pairs of ccxt's market list. `unread` names pairs whose row cannot be read, which are listed all the same;
 * a pair with a ticker that cannot be part of a path is left out. Throws `SyntaxError` if too many rows are unreadable.
 */
export function readMarkets(
  raw: readonly unknown[],
  by: MarketsBy,
  rows: RowReader,
): Pick<MarketList, 'markets' | 'unread'> {
  const markets: ListedMarket[] = []
  const unread: string[] = []
  let bad = 0
  for (const one of raw) {
    const market = readMarket(one, by)
    if (market !== null) {
      markets.push(market)
      continue
    }
    const { success, data } = aboutRow.safeParse(one)
    if (success && data.spot !== true) continue
    bad += 1
    rows.leaveOut()
    if (typeof data?.symbol === 'string') unread.push(data.symbol)
  }
  if (isUnreadable(markets.length + bad, bad))
    throw new SyntaxError(`${bad} of ${markets.length + bad} rows of the market list cannot be read`)
  return { markets, unread }
}

const quoteRow = z.record(z.string(), z.unknown())

/** Returns quotes by symbol from a ticker answer. Bid and ask of a crossed pair are null. */
export function readQuotes(raw: unknown, now: number, rows: RowReader): Map<string, Quote> {
  const quotes = new Map<string, Quote>()
  for (const [symbol, row] of rows.members(raw, quoteRow)) {
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
      at: timeIn(TIMES.present, row['timestamp'], now),
    })
  }
  return quotes
}

const level = z.tuple([z.number().nonnegative().finite(), z.number().nonnegative().finite()], z.unknown())
const bookRow = z.object({ symbol: z.string(), bids: z.array(level), asks: z.array(level), timestamp: loose })

/** A level of price or amount 0 is a filler of a thin side, or an order that is gone. */
function side(
  levels: readonly (readonly [number, number, ...unknown[]])[],
  better: (a: number, b: number) => boolean,
): Side {
  const read: (readonly [number, number])[] = []
  for (const [price, amount] of levels) {
    if (price === 0 || amount === 0) continue
    const last = read.at(-1)
    if (last !== undefined && !better(last[0], price)) throw new SyntaxError('the levels of the book are out of order')
    read.push([price, amount])
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
    at: timeIn(TIMES.present, timestamp, more.receivedAt),
    ...more,
  }
}

/** Returns the books of an answer. One that cannot be read is left out; throws the reason if none can. */
export function readBooks(
  raw: readonly unknown[],
  more: Pick<Book, 'receivedAt' | 'latencyMs' | 'limit' | 'venueTime' | 'synthetic'>,
  rows: RowReader,
): Book[] {
  const books: Book[] = []
  let reason: unknown = null
  for (const one of raw)
    try {
      books.push(readBook(one, more))
    } catch (error) {
      reason ??= error
      rows.leaveOut()
    }
  if (books.length === 0 && reason !== null) throw reason
  return books
}

const isPast = (at: number, now: number) => timeIn(TIMES.past, at, now) !== null

const tradeRow = z.object({
  timestamp: z.number().positive(),
  price: z.number().positive(),
  amount: z.number().nonnegative(),
  side: z.enum(['buy', 'sell']).nullish(),
  id: z.string().nullish(),
})

export function readTrades(raw: unknown, now: number, rows: RowReader): Trade[] {
  return rows
    .list(raw, tradeRow, ({ timestamp }) => isPast(timestamp, now))
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

export function readCandles(raw: unknown, now: number, rows: RowReader): Candle[] {
  return rows
    .list(raw, candleRow, ([at]) => isPast(at, now))
    .map(([at, , , , close, volume]) => ({ at, close, volume }))
    .toSorted((a, b) => a.at - b.at)
}

const hourRow = z.tuple(
  [z.number(), loose, z.number().positive(), z.number().positive(), z.number().positive(), z.number().nonnegative()],
  z.unknown(),
)

export function readHours(raw: unknown, now: number, rows: RowReader): HourCandle[] {
  return rows
    .list(raw, hourRow, ([at]) => isPast(at, now))
    .map(([at, , high, low, close, volume]) => ({ at, high, low, close, volume }))
    .toSorted((a, b) => a.at - b.at)
}

const flagOf = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null)
const network = z.object({ deposit: loose, withdraw: loose })
const currencyRow = z.object({ networks: z.record(z.string(), z.unknown()).nullish() })

/** Returns open and closed wallets by currency; a currency without readable networks is left out. */
export function readWallets(raw: unknown, rows: RowReader): Wallets {
  const currencies = rows.members(raw, currencyRow).slice(0, CURRENCIES_MAX)
  return new Map(
    currencies.flatMap(([code, { networks }]) => {
      const known = Object.entries(networks ?? {})
        .slice(0, NETWORKS_MAX)
        .flatMap(([name, one]) => {
          const { success, data } = network.safeParse(one)
          return success ? [{ network: name, deposit: flagOf(data.deposit), withdraw: flagOf(data.withdraw) }] : []
        })
      return known.length === 0 ? [] : [[code, known] as const]
    }),
  )
}
