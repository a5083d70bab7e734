import type { FastifyInstance } from 'fastify'
import type { Listing, Market } from '../feed.ts'
import type { Ticker, VenueView } from '../view.ts'
import { decimal, timeOf, WireError, wholeNumber, type Query, type VenueWire } from '../wire.ts'

const intervals: Readonly<Record<string, number>> = {
  '1m': 1, '3m': 3, '5m': 5, '15m': 15, '30m': 30, '1h': 60, '2h': 120, '4h': 240, '1d': 1_440,
} // prettier-ignore
const INVALID_SYMBOL = new WireError(400, { code: -1121, msg: 'Invalid symbol.' })
const status = { trading: 'TRADING', halted: 'HALT', ended: 'BREAK' } as const

/** Binance spot, `/api/v3`, and the delisting schedule of `/sapi/v1`. */
export const binance: VenueWire = {
  id: 'binance',
  limit: { windowMs: 60_000, budget: 6_000, defaultWeight: 1, bansAfter: 50 },
  wireSymbol: ({ base, quote }) => base + quote,
  limitHeaders: ({ used }) => ({ 'x-mbx-used-weight': String(used), 'x-mbx-used-weight-1m': String(used) }),
  limited: () => ({
    code: -1003,
    msg: 'Too much request weight used; current limit is 6000 request weight per 1 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.',
  }),
  unavailable: (code) =>
    code === 503
      ? { code: -1008, msg: 'Server is currently overloaded with other requests. Please try again in a few minutes.' }
      : null,
  routes: (app, view) => {
    binanceRoutes(app, view)
    app.get('/sapi/v1/spot/delist-schedule', { config: { weight: 100 } }, async () => delistSchedule(view))
  },
}

function binanceRoutes(app: FastifyInstance, view: VenueView): void {
  const find = (query: Query): Listing => {
    const listing = view.find(query['symbol'] ?? '')
    if (!listing) throw INVALID_SYMBOL
    return listing
  }
  /** The listings that `symbol` or `symbols` ask for; all without them. */
  const asked = (query: Query): { many: boolean; listings: readonly Listing[] } => {
    if (query['symbol'] !== undefined) return { many: false, listings: [find(query)] }
    if (query['symbols'] === undefined) return { many: true, listings: view.listings() }
    const symbols = JSON.parse(query['symbols']) as string[]
    return { many: true, listings: symbols.map((symbol) => find({ symbol })) }
  }
  const answer = <T>(query: Query, one: (listing: Listing) => T | null): T[] | T | null => {
    const { many, listings } = asked(query)
    const rows = listings.flatMap((listing) => one(listing) ?? [])
    return many ? rows : (rows[0] ?? null)
  }

  app.get('/api/v3/ping', async () => ({}))
  app.get('/api/v3/time', async () => ({ serverTime: view.now() }))
  app.get('/api/v3/exchangeInfo', { config: { weight: 20 } }, async () => ({
    timezone: 'UTC',
    serverTime: view.now(),
    rateLimits: [
      { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 6_000 },
      { rateLimitType: 'RAW_REQUESTS', interval: 'MINUTE', intervalNum: 5, limit: 61_000 },
    ],
    exchangeFilters: [],
    symbols: view.listings().map((listing) => symbolInfo(listing, view)),
  }))
  app.get<{ Querystring: Query }>('/api/v3/ticker/24hr', { config: { weight: perSymbol(2, 80) } }, async ({ query }) =>
    answer(query, (listing) => dayTicker(listing, view)),
  )
  app.get<{ Querystring: Query }>(
    '/api/v3/ticker/bookTicker',
    { config: { weight: perSymbol(2, 4) } },
    async ({ query }) =>
      answer(query, (listing) => {
        const book = view.book(listing, 1)
        const text = textOf(listing.market)
        const [bidPrice = 0, bidQty = 0] = book.bids[0] ?? []
        const [askPrice = 0, askQty = 0] = book.asks[0] ?? []
        return {
          symbol: view.wireSymbol(listing.market),
          bidPrice: text.price(bidPrice),
          bidQty: text.amount(bidQty),
          askPrice: text.price(askPrice),
          askQty: text.amount(askQty),
        }
      }),
  )
  app.get<{ Querystring: Query }>('/api/v3/depth', { config: { weight: depthWeight } }, async ({ query }) => {
    const listing = find(query)
    const { price, amount } = textOf(listing.market)
    const { sequence, bids, asks } = view.book(listing, wholeNumber(query, 'limit', 100, 5_000))
    return {
      lastUpdateId: sequence,
      bids: bids.map(([at, size]) => [price(at), amount(size)]),
      asks: asks.map(([at, size]) => [price(at), amount(size)]),
    }
  })
  app.get<{ Querystring: Query }>('/api/v3/trades', { config: { weight: 25 } }, async ({ query }) => {
    const listing = find(query)
    const { price, amount } = textOf(listing.market)
    return view.trades(listing, wholeNumber(query, 'limit', 500, 1_000)).map((trade) => ({
      id: trade.id,
      price: price(trade.price),
      qty: amount(trade.amount),
      quoteQty: decimal(trade.price * trade.amount, 8),
      time: trade.at,
      isBuyerMaker: trade.side === 'sell',
      isBestMatch: true,
    }))
  })
  app.get<{ Querystring: Query }>('/api/v3/aggTrades', { config: { weight: 4 } }, async ({ query }) => {
    const listing = find(query)
    const { price, amount } = textOf(listing.market)
    const limit = wholeNumber(query, 'limit', 500, 1_000)
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
  app.get<{ Querystring: Query }>('/api/v3/klines', { config: { weight: 2 } }, async ({ query }) => {
    const listing = find(query)
    const { price } = textOf(listing.market)
    const minutes = intervals[query['interval'] ?? '']
    if (minutes === undefined) throw new WireError(400, { code: -1120, msg: 'Invalid interval.' })
    const limit = wholeNumber(query, 'limit', 500, 1_000)
    return view
      .candles(listing, minutes, limit, timeOf(query, 'startTime'), timeOf(query, 'endTime'))
      .map((candle) => [
        candle.at,
        price(candle.open),
        price(candle.high),
        price(candle.low),
        price(candle.close),
        decimal(candle.volume, 8),
        candle.at + minutes * 60_000 - 1,
        decimal(candle.quoteVolume, 8),
        candle.trades,
        decimal(candle.takerBuyQuote / candle.close, 8),
        decimal(candle.takerBuyQuote, 8),
        '0',
      ])
  })
}

function textOf({ priceDecimals, amountDecimals }: Market) {
  return {
    price: (value: number) => decimal(value, Math.max(8, priceDecimals)),
    amount: (value: number) => decimal(value, Math.max(8, amountDecimals)),
  }
}

function perSymbol(one: number, all: number): (query: Query) => number {
  return (query) => (query['symbol'] === undefined && query['symbols'] === undefined ? all : one)
}

function depthWeight(query: Query): number {
  const limit = wholeNumber(query, 'limit', 100, 5_000)
  return limit <= 100 ? 5 : limit <= 500 ? 25 : limit <= 1_000 ? 50 : 250
}

function symbolInfo({ market, status: standing }: Listing, view: VenueView): object {
  const tick = decimal(10 ** -market.priceDecimals, Math.max(8, market.priceDecimals))
  const lot = decimal(10 ** -market.amountDecimals, 8)
  return {
    symbol: view.wireSymbol(market),
    status: status[standing],
    baseAsset: market.base,
    baseAssetPrecision: 8,
    quoteAsset: market.quote,
    quotePrecision: 8,
    quoteAssetPrecision: 8,
    orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET'],
    icebergAllowed: true,
    ocoAllowed: true,
    isSpotTradingAllowed: standing === 'trading',
    isMarginTradingAllowed: false,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: tick, maxPrice: '1000000000.00000000', tickSize: tick },
      { filterType: 'LOT_SIZE', minQty: lot, maxQty: '9000000000.00000000', stepSize: lot },
      { filterType: 'NOTIONAL', minNotional: '5.00000000', applyMinToMarket: true, maxNotional: '9000000.00000000' },
    ],
    permissions: [],
    permissionSets: [['SPOT']],
  }
}

function dayTicker(listing: Listing, view: VenueView): object | null {
  const { market } = listing
  const ticker: Ticker | null = view.ticker(listing)
  if (ticker === null) return null
  const { price, amount } = textOf(market)
  const now = view.now()
  return {
    symbol: view.wireSymbol(market),
    priceChange: price(ticker.last - ticker.open),
    priceChangePercent: decimal((ticker.last / ticker.open - 1) * 100, 3),
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

function delistSchedule(view: VenueView): object[] {
  const byTime = new Map<number, string[]>()
  for (const { market, endsAt, status: standing } of view.listings()) {
    if (endsAt === null || standing === 'ended') continue
    byTime.set(endsAt, [...(byTime.get(endsAt) ?? []), view.wireSymbol(market)])
  }
  return [...byTime].toSorted(([a], [b]) => a - b).map(([delistTime, symbols]) => ({ delistTime, symbols }))
}
