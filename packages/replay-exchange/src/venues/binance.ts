import type { Listing } from '../feed.ts'
import type { VenueView } from '../view.ts'
import { decimal, wholeNumber, type Query, type VenueWire } from '../wire.ts'
import { binanceAnnouncements } from './announcements.ts'
import { binanceRoutes, type Dialect } from './binance-routes.ts'

const status = { trading: 'TRADING', halted: 'HALT', ended: 'BREAK' } as const

const dialect: Dialect = {
  intervals: {
    '1m': 1,
    '3m': 3,
    '5m': 5,
    '15m': 15,
    '30m': 30,
    '1h': 60,
    '2h': 120,
    '4h': 240,
    '1d': 1_440,
  },
  weights: {
    exchangeInfo: 20,
    tickers: perSymbol(2, 80),
    bookTickers: perSymbol(2, 4),
    depth: (query) => {
      const limit = wholeNumber(query, 'limit', 100, 5_000)
      return limit <= 100 ? 5 : limit <= 500 ? 25 : limit <= 1_000 ? 50 : 250
    },
    trades: 25,
    aggTrades: 4,
    klines: 2,
  },
  info: (view) => ({
    rateLimits: [
      { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 6_000 },
      { rateLimitType: 'RAW_REQUESTS', interval: 'MINUTE', intervalNum: 5, limit: 61_000 },
    ],
    symbols: view.listings().map((listing) => symbolInfo(listing, view)),
  }),
  change: (ratio) => decimal(ratio * 100, 3),
  bookHead: (sequence) => ({ lastUpdateId: sequence }),
  klineTail: (candle, endsAt) => [
    endsAt - 1,
    decimal(candle.quoteVolume, 8),
    candle.trades,
    decimal(candle.takerBuyQuote / candle.close, 8),
    decimal(candle.takerBuyQuote, 8),
    '0',
  ],
}

/** Binance spot, `/api/v3`, and the delisting schedule of `/sapi/v1`, which needs no key here. */
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
    binanceRoutes(app, view, dialect)
    binanceAnnouncements(app, view)
    app.get('/sapi/v1/spot/delist-schedule', { config: { weight: 100 } }, async () => delistSchedule(view))
  },
}

function perSymbol(one: number, all: number): (query: Query) => number {
  return (query) => (query['symbol'] === undefined && query['symbols'] === undefined ? all : one)
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
    baseCommissionPrecision: 8,
    quoteCommissionPrecision: 8,
    orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET'],
    icebergAllowed: true,
    ocoAllowed: true,
    quoteOrderQtyMarketAllowed: true,
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

function delistSchedule(view: VenueView): object[] {
  const byTime = new Map<number, string[]>()
  for (const { market, endsAt, status: standing } of view.listings()) {
    if (endsAt === null || standing === 'ended') continue
    byTime.set(endsAt, [...(byTime.get(endsAt) ?? []), view.wireSymbol(market)])
  }
  return [...byTime].toSorted(([a], [b]) => a - b).map(([delistTime, symbols]) => ({ delistTime, symbols }))
}
