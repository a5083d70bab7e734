import type { FastifyInstance } from 'fastify'
import { MINUTE, type Listing, type Market } from '../feed.ts'
import type { TimedCandle } from '../history.ts'
import type { Ticker, VenueView } from '../view.ts'
import { decimal, timeOf, WireError, wholeNumber, type Query } from '../wire.ts'

/** Differences between venues with Binance's interface. */
export interface Dialect {
  /** Minutes of each `interval`. */
  readonly intervals: Readonly<Record<string, number>>
  readonly weights: {
    readonly exchangeInfo: number
    readonly tickers: (query: Query) => number
    readonly bookTickers: (query: Query) => number
    readonly depth: (query: Query) => number
    readonly trades: number
    readonly aggTrades: number
    readonly klines: number
  }
  /** Answer of `exchangeInfo` without `timezone`, `serverTime` and `exchangeFilters`. */
  readonly info: (view: VenueView) => object
  /** Formats the change of a day, given as a ratio, as the venue does. */
  readonly change: (ratio: number) => string
  /** Members of a book other than bids and asks. */
  readonly bookHead: (sequence: number, at: number) => object
  /** Members of a kline after the close. */
  readonly klineTail: (candle: TimedCandle, endsAt: number) => readonly unknown[]
}

const INVALID_SYMBOL = new WireError(400, { code: -1121, msg: 'Invalid symbol.' })
const INVALID_INTERVAL = new WireError(400, { code: -1120, msg: 'Invalid interval.' })
const BAD_SYMBOLS = new WireError(400, { code: -1100, msg: "Illegal characters found in parameter 'symbols'." })
const LIMIT_MAX = 1_000

/** Serves the market routes of `/api/v3`. */
export function binanceRoutes(app: FastifyInstance, view: VenueView, dialect: Dialect): void {
  app.get('/api/v3/ping', async () => ({}))
  app.get('/api/v3/time', async () => ({ serverTime: view.now() }))
  app.get('/api/v3/exchangeInfo', { config: { weight: dialect.weights.exchangeInfo } }, async () => ({
    timezone: 'UTC',
    serverTime: view.now(),
    exchangeFilters: [],
    ...dialect.info(view),
  }))
  tickerRoutes(app, view, dialect)
  bookRoute(app, view, dialect)
  historyRoutes(app, view, dialect)
}

function find(view: VenueView, query: Query): Listing {
  const listing = view.find(query['symbol'] ?? '')
  if (!listing) throw INVALID_SYMBOL
  return listing
}

function tickerRoutes(app: FastifyInstance, view: VenueView, dialect: Dialect): void {
  const { weights } = dialect
  /** Returns one row for `symbol`, otherwise the rows of `symbols` or of all markets. */
  const rows = <T>(query: Query, rowOf: (listing: Listing) => T | null): T[] | T | null => {
    if (query['symbol'] !== undefined) return rowOf(find(view, query))
    const { symbols } = query
    const listings =
      symbols === undefined ? view.listings() : symbolsOf(symbols).map((symbol) => find(view, { symbol }))
    return listings.flatMap((listing) => rowOf(listing) ?? [])
  }
  app.get<{ Querystring: Query }>('/api/v3/ticker/24hr', { config: { weight: weights.tickers } }, async ({ query }) =>
    rows(query, (listing) => {
      const ticker = view.ticker(listing)
      return ticker === null ? null : dayTicker(ticker, view, dialect)
    }),
  )
  app.get<{ Querystring: Query }>(
    '/api/v3/ticker/bookTicker',
    { config: { weight: weights.bookTickers } },
    async ({ query }) =>
      rows(query, (listing) => {
        const { bids, asks } = view.book(listing, 1)
        const { price, amount } = textOf(listing.market)
        return {
          symbol: view.wireSymbol(listing.market),
          bidPrice: price(bids[0]?.[0] ?? 0),
          bidQty: amount(bids[0]?.[1] ?? 0),
          askPrice: price(asks[0]?.[0] ?? 0),
          askQty: amount(asks[0]?.[1] ?? 0),
        }
      }),
  )
}

function bookRoute(app: FastifyInstance, view: VenueView, { weights, bookHead }: Dialect): void {
  app.get<{ Querystring: Query }>('/api/v3/depth', { config: { weight: weights.depth } }, async ({ query }) => {
    const listing = find(view, query)
    const { price, amount } = textOf(listing.market)
    const { sequence, at, bids, asks } = view.book(listing, wholeNumber(query, 'limit', 100, 5_000))
    return {
      ...bookHead(sequence, at),
      bids: bids.map((level) => [price(level[0]), amount(level[1])]),
      asks: asks.map((level) => [price(level[0]), amount(level[1])]),
    }
  })
}

function historyRoutes(app: FastifyInstance, view: VenueView, { weights, intervals, klineTail }: Dialect): void {
  app.get<{ Querystring: Query }>('/api/v3/trades', { config: { weight: weights.trades } }, async ({ query }) => {
    const listing = find(view, query)
    const { price, amount } = textOf(listing.market)
    return view.trades(listing, wholeNumber(query, 'limit', 500, LIMIT_MAX)).map((trade) => ({
      id: trade.id,
      price: price(trade.price),
      qty: amount(trade.amount),
      quoteQty: decimal(trade.price * trade.amount, 8),
      time: trade.at,
      isBuyerMaker: trade.side === 'sell',
      isBestMatch: true,
    }))
  })
  app.get<{ Querystring: Query }>('/api/v3/aggTrades', { config: { weight: weights.aggTrades } }, async ({ query }) => {
    const listing = find(view, query)
    const { price, amount } = textOf(listing.market)
    const limit = wholeNumber(query, 'limit', 500, LIMIT_MAX)
    return view.trades(listing, limit, timeOf(query, 'startTime'), timeOf(query, 'endTime')).map((trade) => ({
      a: trade.id,
      p: price(trade.price),
      q: amount(trade.amount),
      f: trade.id,
      l: trade.id,
      T: trade.at,
      m: trade.side === 'sell',
      M: true,
    }))
  })
  app.get<{ Querystring: Query }>('/api/v3/klines', { config: { weight: weights.klines } }, async ({ query }) => {
    const listing = find(view, query)
    const { price } = textOf(listing.market)
    const minutes = intervals[query['interval'] ?? '']
    if (minutes === undefined) throw INVALID_INTERVAL
    const limit = wholeNumber(query, 'limit', 500, LIMIT_MAX)
    const [from, to] = [timeOf(query, 'startTime'), timeOf(query, 'endTime')]
    return view
      .candles(listing, { minutes, limit, from, to })
      .map((candle) => [
        candle.at,
        ...[candle.open, candle.high, candle.low, candle.close].map(price),
        decimal(candle.volume, 8),
        ...klineTail(candle, candle.at + minutes * MINUTE),
      ])
  })
}

function symbolsOf(text: string): string[] {
  try {
    const symbols: unknown = JSON.parse(text)
    if (Array.isArray(symbols) && symbols.every((one) => typeof one === 'string')) return symbols
  } catch {
    throw BAD_SYMBOLS
  }
  throw BAD_SYMBOLS
}

function textOf({ priceDecimals, amountDecimals }: Market) {
  return {
    price: (value: number) => decimal(value, Math.max(8, priceDecimals)),
    amount: (value: number) => decimal(value, Math.max(8, amountDecimals)),
  }
}

function dayTicker(ticker: Ticker, view: VenueView, dialect: Dialect): object {
  const { market } = ticker.listing
  const { price, amount } = textOf(market)
  const now = view.now()
  return {
    symbol: view.wireSymbol(market),
    priceChange: price(ticker.last - ticker.open),
    priceChangePercent: dialect.change(ticker.last / ticker.open - 1),
    weightedAvgPrice: price(ticker.volume > 0 ? ticker.quoteVolume / ticker.volume : 0),
    prevClosePrice: price(ticker.open),
    lastPrice: price(ticker.last),
    lastQty: amount(0),
    bidPrice: price(ticker.bid),
    bidQty: amount(ticker.bidAmount),
    askPrice: price(ticker.ask),
    askQty: amount(ticker.askAmount),
    openPrice: price(ticker.open),
    highPrice: price(ticker.high),
    lowPrice: price(ticker.low),
    volume: decimal(ticker.volume, 8),
    quoteVolume: decimal(ticker.quoteVolume, 8),
    openTime: now - 86_400_000,
    closeTime: now,
    firstId: 0,
    lastId: ticker.trades,
    count: ticker.trades,
  }
}
