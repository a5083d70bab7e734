import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Exchange, OrderBook, Trade } from 'ccxt'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startReplayExchange, type Faults, type ReplayExchange } from '../index.ts'

const startAt = Date.UTC(2026, 0, 5, 12)
/** Ends what hangs. */
const PATIENCE_MS = 300_000
const SLOW_MS = 900

const venues = ['binance', 'gate', 'kucoin', 'mexc', 'upbit', 'bithumb']
let replay: ReplayExchange
beforeAll(async () => {
  replay = await startReplayExchange({ tokens: 120, venues, startAt, speed: 0, limits: false })
})
afterAll(() => replay.stop())
beforeEach(() => {
  replay.faults.clear()
  replay.clock.set(startAt)
})

const sources = join(dirname(fileURLToPath(import.meta.resolve('ccxt'))), 'src')

/** ccxt's own class, unmodified: only its addresses lead to the replay exchange, and its clock is the simulated one. */
async function drive(id: string): Promise<Exchange> {
  const { default: Venue } = (await import(join(sources, `${id}.js`))) as {
    default: new (options: object) => Exchange
  }
  const exchange = new Venue({
    enableRateLimit: false,
    timeout: PATIENCE_MS,
    options: { fetchMarkets: { types: ['spot'] }, fetchTickersFees: false },
  })
  const rewrite = (urls: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(urls)) {
      if (typeof value === 'string') {
        const { pathname } = new URL(value.replaceAll('{hostname}', 'host.test'))
        urls[name] = replay.venueUrl(id) + (pathname === '/' ? '' : pathname)
      } else rewrite(value as Record<string, unknown>)
    }
  }
  rewrite(exchange.urls['api'] as unknown as Record<string, unknown>)
  exchange.milliseconds = () => replay.clock.now()
  exchange.has['fetchCurrencies'] = id === 'gate' || id === 'kucoin'
  await exchange.loadMarkets()
  return exchange
}

/** `tooMany` is ccxt's class for a 429 of the venue: at some it does not tell it from other refusals. */
const driven = [
  { id: 'binance', quote: 'USDT', limit: 100, tooMany: 'DDoSProtection' },
  { id: 'gate', quote: 'USDT', limit: 100, tooMany: 'RateLimitExceeded' },
  { id: 'kucoin', quote: 'USDT', limit: 100, tooMany: 'ExchangeError' },
  { id: 'mexc', quote: 'USDT', limit: 100, tooMany: 'RateLimitExceeded' },
  { id: 'upbit', quote: 'KRW', limit: 30, tooMany: 'ExchangeError' },
  { id: 'bithumb', quote: 'KRW', limit: 30, tooMany: 'ExchangeError' },
] as const
/** List what trades only, and no best prices in tickers. */
const KOREAN: readonly string[] = ['upbit', 'bithumb']

describe.each(driven)('$id driven by ccxt', ({ id, quote, limit, tooMany }) => {
  const symbol = `ETH/${quote}`
  let exchange: Exchange
  beforeAll(async () => {
    exchange = await drive(id)
  })

  it('lists every market with its precision and state', async () => {
    const listed = replay.feed.listings(id, startAt).filter(({ status }) => !KOREAN.includes(id) || status !== 'ended')
    expect(exchange.symbols).toHaveLength(listed.length)
    for (const { market, status } of listed) {
      const seen = exchange.market(`${market.base}/${market.quote}`)
      expect(seen.active).toBe(KOREAN.includes(id) || status === 'trading')
      if (!KOREAN.includes(id)) expect(seen.precision.price).toBeCloseTo(10 ** -market.priceDecimals, 12)
    }
  })

  it('returns a ticker of every trading market, with its bid below its ask', async () => {
    const tickers = await exchange.fetchTickers()
    const trading = replay.feed.listings(id, startAt).filter(({ status }) => status === 'trading')
    for (const { market } of trading) {
      const ticker = tickers[`${market.base}/${market.quote}`]
      expect(ticker?.last).toBeGreaterThan(0)
      expect(ticker?.quoteVolume).toBeGreaterThan(0)
      if (!KOREAN.includes(id)) expect(ticker?.bid).toBeLessThan(ticker?.ask ?? 0)
    }
  })

  it('returns books that are sorted, uncrossed and around the last price', async () => {
    const book = await exchange.fetchOrderBook(symbol, limit)
    expect(sorted(book)).toBe(true)
    const last = (await exchange.fetchTicker(symbol)).last ?? 0
    expect(Math.abs((book.bids[0]?.[0] ?? 0) / last - 1)).toBeLessThan(0.002)
    if (id !== 'mexc' && id !== 'binance') expect(book.timestamp).toBe(startAt)
  })

  it('returns equal fills again and new fills as time passes, with times and sides', async () => {
    const first = await exchange.fetchTrades(symbol, undefined, 50)
    expect(await exchange.fetchTrades(symbol, undefined, 50)).toEqual(first)
    replay.clock.advance(20_000)
    const second = await exchange.fetchTrades(symbol, undefined, 50)
    // KuCoin's fills have a sequence, which ccxt leaves in `info`.
    const idOf = (trade: Trade) => trade.id ?? (trade.info as { sequence: string }).sequence
    const known = new Set(first.map(idOf))
    const fresh = second.filter((trade) => !known.has(idOf(trade)))
    expect(fresh.length).toBeGreaterThan(0)
    for (const trade of fresh) {
      expect(trade.timestamp).toBeGreaterThanOrEqual(startAt)
      expect(trade.timestamp).toBeLessThanOrEqual(startAt + 20_000)
      expect(['buy', 'sell']).toContain(trade.side)
    }
  })

  it('returns minute candles that contain the fills', async () => {
    const candles = await exchange.fetchOHLCV(symbol, '1m', startAt - 10 * 60_000, 10)
    expect(candles).toHaveLength(10)
    const trades = await exchange.fetchTrades(symbol, undefined, 50)
    const candle = candles.find(([at]) => at === startAt - 60_000)
    for (const trade of trades.filter(({ timestamp }) => (timestamp ?? 0) >= startAt - 60_000)) {
      expect(trade.price).toBeLessThanOrEqual(candle?.[2] ?? 0)
      expect(trade.price).toBeGreaterThanOrEqual(candle?.[3] ?? Number.POSITIVE_INFINITY)
    }
  })

  it('rejects an unknown market in its format, which ccxt reads as an error', async () => {
    exchange.markets = {
      ...exchange.markets,
      'NOPE/USDT': { ...exchange.market(symbol), id: 'NO-PE', symbol: 'NOPE/USDT' },
    }
    await expect(exchange.fetchTrades('NOPE/USDT')).rejects.toThrow(/symbol|pair|not (found|exist)/i)
  })

  const errors: readonly (readonly [string, Faults, string])[] = [
    ['too many requests', { limited: { status: 429, retryAfterSeconds: 7 } }, tooMany],
    ['a ban', { limited: { status: 418, retryAfterSeconds: 120 } }, tooMany],
    ['an internal error', { status: 500 }, 'ExchangeError|NetworkError'],
    ['a bad gateway', { status: 502 }, 'NetworkError'],
    ['an overload', { status: 503 }, 'ExchangeError|NetworkError'],
    ['a cut connection', { disconnect: true }, 'NetworkError'],
    ['a slow answer', { slowMs: SLOW_MS }, 'NetworkError'],
  ]
  it.each(errors)('is read as an error with %s', async (_name, faults, classes) => {
    replay.faults.set(id, faults)
    exchange.timeout = faults.slowMs === undefined ? PATIENCE_MS : SLOW_MS / 2
    const error: unknown = await exchange.fetchOrderBook(symbol, limit).catch((cause: unknown) => cause)
    exchange.timeout = PATIENCE_MS
    expect(classNames(error).some((name) => classes.split('|').includes(name))).toBe(true)
  })

  it.each<[string, Faults]>([
    ['is cut', { truncated: true }],
    ['lacks members', { missingFields: ['bids', 'bid_price', 'orderbook_units'] }],
  ])('gives no bids when the body %s: ccxt itself may pass an empty book', async (_name, faults) => {
    replay.faults.set(id, faults)
    const bad = await exchange.fetchOrderBook(symbol, limit).catch(() => undefined)
    expect(bad?.bids.filter(([price]) => price !== undefined) ?? []).toEqual([])
  })

  it('returns crossed and old books, a skewed clock and a short list if these faults are set', async () => {
    replay.faults.set(id, { crossedBooks: true })
    const crossed = await exchange.fetchOrderBook(symbol, limit)
    expect(crossed.bids[0]?.[0]).toBeGreaterThan(crossed.asks[0]?.[0] ?? 0)
    replay.faults.set(id, { staleBooksMs: 30_000, clockSkewMs: -2_000 })
    const old = await exchange.fetchOrderBook(symbol, limit)
    if (old.timestamp !== undefined) expect(old.timestamp).toBe(startAt - 32_000)
    if (!KOREAN.includes(id)) expect(await exchange.fetchTime()).toBe(startAt - 2_000)
    replay.faults.set(id, { listedShare: 0.5 })
    const short = await exchange.fetchMarkets()
    expect(short.length).toBeLessThan(exchange.symbols.length * 0.6)
  })
})

it('returns the books of many Upbit markets in one request', async () => {
  const exchange = await drive('upbit')
  const symbols = exchange.symbols.slice(0, 40)
  const books = await exchange.fetchOrderBooks(symbols, 15)
  expect(Object.keys(books).toSorted()).toEqual(symbols.toSorted())
  for (const book of Object.values(books)) expect(sorted(book)).toBe(true)
})

function sorted({ bids, asks }: OrderBook): boolean {
  const prices = [...bids.map(([price]) => -(price ?? 0)), ...asks.map(([price]) => price ?? 0)]
  const rises = (side: number[]) => side.every((price, index) => index === 0 || price > (side[index - 1] ?? 0))
  return (
    rises(prices.slice(0, bids.length)) &&
    rises(prices.slice(bids.length)) &&
    (bids[0]?.[0] ?? 0) < (asks[0]?.[0] ?? 0) &&
    bids.length > 0
  )
}

function classNames(error: unknown): string[] {
  const names: string[] = []
  for (let at: unknown = error; at instanceof Error; at = Object.getPrototypeOf(at)) names.push(at.constructor.name)
  return names
}
