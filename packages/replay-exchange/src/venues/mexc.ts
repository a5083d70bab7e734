import type { Listing } from '../feed.ts'
import type { VenueView } from '../view.ts'
import { decimal, type VenueWire } from '../wire.ts'
import { mexcAnnouncements } from './announcements.ts'
import { binanceRoutes, type Dialect } from './binance-routes.ts'

/** 1 online, 2 paused, 3 offline. */
const status = { trading: '1', halted: '2', ended: '3' } as const

const dialect: Dialect = {
  intervals: { '1m': 1, '5m': 5, '15m': 15, '30m': 30, '60m': 60, '4h': 240, '1d': 1_440 },
  weights: {
    exchangeInfo: 10,
    tickers: (query) => (query['symbol'] === undefined ? 40 : 1),
    bookTickers: () => 1,
    depth: () => 1,
    trades: 5,
    aggTrades: 1,
    klines: 1,
  },
  info: (view) => ({ rateLimits: [], symbols: view.listings().map((listing) => symbolInfo(listing, view)) }),
  change: (ratio) => decimal(ratio, 4),
  bookHead: (sequence, at) => ({ lastUpdateId: sequence, timestamp: at }),
  klineTail: (candle, endsAt) => [endsAt, decimal(candle.quoteVolume, 8)],
}

/** MEXC spot v3: Binance's interface with other fields for state, contract address and special treatment. */
export const mexc: VenueWire = {
  id: 'mexc',
  limit: { windowMs: 10_000, budget: 500, defaultWeight: 1, bansAfter: null },
  wireSymbol: ({ base, quote }) => base + quote,
  limitHeaders: () => ({}),
  limited: () => ({ code: 429, msg: 'Too Many Requests' }),
  unavailable: (code) => (code === 503 ? { code: 503, msg: 'Service not available, please try again' } : null),
  routes: (app, view) => {
    binanceRoutes(app, view, dialect)
    mexcAnnouncements(app, view)
    // ccxt requests the contracts whenever it requests the spot markets.
    app.get('/api/v1/contract/detail', async () => ({ success: true, code: 0, data: [] }))
    app.get('/api/v3/symbol/offline', { config: { weight: 10 } }, async () => ({
      data: view
        .listings()
        .flatMap(({ market, status: standing, endsAt }) =>
          standing === 'trading' && endsAt === null
            ? []
            : [{ symbol: view.wireSymbol(market), state: status[standing], offlineTime: endsAt }],
        ),
    }))
  },
}

function symbolInfo({ market, status: standing, warning }: Listing, view: VenueView): object {
  return {
    symbol: view.wireSymbol(market),
    status: status[standing],
    baseAsset: market.base,
    baseAssetPrecision: market.amountDecimals,
    quoteAsset: market.quote,
    quotePrecision: market.priceDecimals,
    quoteAssetPrecision: market.priceDecimals,
    baseCommissionPrecision: market.amountDecimals,
    quoteCommissionPrecision: market.priceDecimals,
    orderTypes: ['LIMIT', 'MARKET', 'LIMIT_MAKER'],
    isSpotTradingAllowed: standing === 'trading',
    isMarginTradingAllowed: false,
    quoteAmountPrecision: '1',
    baseSizePrecision: decimal(10 ** -market.amountDecimals, market.amountDecimals),
    permissions: ['SPOT'],
    filters: [],
    maxQuoteAmount: '2000000',
    makerCommission: '0',
    takerCommission: '0.0005',
    tradeSideType: 1,
    fullName: market.token.name,
    contractAddress: market.token.address ?? '',
    st: warning !== 'none',
  }
}
