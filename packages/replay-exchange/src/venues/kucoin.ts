import type { FastifyInstance } from 'fastify'
import type { Listing, Token } from '../feed.ts'
import type { VenueView } from '../view.ts'
import { kucoinAnnouncements } from './announcements.ts'
import { decimal, timeOf, WireError, type Query, type VenueWire } from '../wire.ts'

const types: Readonly<Record<string, number>> = {
  '1min': 1,
  '3min': 3,
  '5min': 5,
  '15min': 15,
  '30min': 30,
  '1hour': 60,
  '2hour': 120,
  '4hour': 240,
  '1day': 1_440,
}
const chainIds: Readonly<Record<string, string>> = {
  'eip155:1': 'eth',
  'eip155:56': 'bsc',
  'eip155:8453': 'base',
  'eip155:42161': 'arbitrum',
}
const SECOND_MS = 1_000
const NANOSECONDS = 1_000_000
const TRADES = 100

/** KuCoin spot, `/api/v1` and `/api/v2`. A rejection has status 200 or 400 and a `code` other than 200000. */
export const kucoin: VenueWire = {
  id: 'kucoin',
  limit: { windowMs: 30_000, budget: 2_000, defaultWeight: 4, bansAfter: null },
  wireSymbol: ({ base, quote }) => `${base}-${quote}`,
  limitHeaders: ({ used, budget, resetMs }) => ({
    'gw-ratelimit-limit': String(budget),
    'gw-ratelimit-remaining': String(budget - used),
    'gw-ratelimit-reset': String(resetMs),
  }),
  limited: () => ({ code: '429000', msg: 'Too Many Requests' }),
  unavailable: (status) => (status === 500 ? { code: '500000', msg: 'Internal Server Error' } : null),
  routes: kucoinRoutes,
}

function kucoinRoutes(app: FastifyInstance, view: VenueView): void {
  kucoinAnnouncements(app, view)
  const ok = (data: unknown) => ({ code: '200000', data })
  const find = (query: Query): Listing => {
    const listing = view.find(query['symbol'] ?? '')
    if (!listing) throw new WireError(400, { code: '900001', msg: 'The symbol does not exist.' })
    return listing
  }
  app.get('/api/v1/timestamp', { config: { weight: 3 } }, async () => ok(view.now()))
  app.get('/api/v1/status', { config: { weight: 3 } }, async () => ok({ status: 'open', msg: '' }))
  app.get('/api/v2/symbols', async () => ok(view.listings().map((listing) => symbolOf(listing, view))))
  app.get('/api/v3/currencies', { config: { weight: 3 } }, async () => {
    const tokens = new Map(view.listings().map(({ market }) => [market.base, market.token]))
    return ok([...tokens.values()].map(currencyOf))
  })
  app.get('/api/v1/market/allTickers', { config: { weight: 15 } }, async () =>
    ok({ time: view.now(), ticker: view.listings().flatMap((listing) => tickerOf(listing, view) ?? []) }),
  )
  app.get<{ Querystring: Query }>('/api/v1/market/stats', { config: { weight: 15 } }, async ({ query }) =>
    ok({ time: view.now(), ...tickerOf(find(query), view) }),
  )
  for (const limit of [20, 100]) {
    const weight = limit === 20 ? 2 : 4
    app.get<{ Querystring: Query }>(
      `/api/v1/market/orderbook/level2_${limit}`,
      { config: { weight } },
      async ({ query }) => {
        const listing = find(query)
        const { priceDecimals, amountDecimals } = listing.market
        const { bids, asks, at, sequence } = view.book(listing, limit)
        const level = ([price, amount]: readonly [number, number]) => [
          decimal(price, priceDecimals, true),
          decimal(amount, amountDecimals, true),
        ]
        return ok({ time: at, sequence: String(sequence), bids: bids.map(level), asks: asks.map(level) })
      },
    )
  }
  app.get<{ Querystring: Query }>('/api/v1/market/histories', { config: { weight: 3 } }, async ({ query }) => {
    const listing = find(query)
    const { priceDecimals, amountDecimals } = listing.market
    const newestFirst = view.trades(listing, TRADES).reverse()
    return ok(
      newestFirst.map((trade) => ({
        sequence: String(trade.id),
        price: decimal(trade.price, priceDecimals, true),
        size: decimal(trade.amount, Math.max(8, amountDecimals), true),
        side: trade.side,
        time: trade.at * NANOSECONDS,
      })),
    )
  })
  app.get<{ Querystring: Query }>('/api/v1/market/candles', { config: { weight: 3 } }, async ({ query }) => {
    const listing = find(query)
    const minutes = types[query['type'] ?? '']
    if (minutes === undefined) throw new WireError(400, { code: '400100', msg: 'type is invalid' })
    const price = (value: number) => decimal(value, listing.market.priceDecimals, true)
    // The end is exclusive. If the span has more candles than the limit, the newest are returned.
    const to = timeOf(query, 'endAt', SECOND_MS)
    const from = timeOf(query, 'startAt', SECOND_MS)
    const candles = view.candles(listing, { minutes, limit: 1_500, from, to: to === undefined ? undefined : to - 1 })
    return ok(
      candles
        .reverse()
        .map((candle) => [
          String(candle.at / SECOND_MS),
          ...[candle.open, candle.close, candle.high, candle.low].map(price),
          decimal(candle.volume, 8, true),
          decimal(candle.quoteVolume, 8, true),
        ]),
    )
  })
}

function symbolOf({ market, status, warning }: Listing, view: VenueView): object {
  const symbol = view.wireSymbol(market)
  const [lot, tick] = [market.amountDecimals, market.priceDecimals].map((digits) => decimal(10 ** -digits, digits))
  return {
    symbol,
    name: symbol,
    baseCurrency: market.base,
    quoteCurrency: market.quote,
    feeCurrency: market.quote,
    market: market.quote === 'USDT' ? 'USDS' : market.quote,
    baseMinSize: lot,
    quoteMinSize: '0.1',
    baseMaxSize: '10000000000',
    quoteMaxSize: '99999999',
    baseIncrement: lot,
    quoteIncrement: tick,
    priceIncrement: tick,
    priceLimitRate: '0.1',
    minFunds: '0.1',
    isMarginEnabled: false,
    enableTrading: status === 'trading',
    feeCategory: 1,
    makerFeeCoefficient: '1.00',
    takerFeeCoefficient: '1.00',
    st: warning !== 'none',
  }
}

function currencyOf(token: Token): object {
  const chainId = token.chain === null ? token.ticker.toLowerCase() : (chainIds[token.chain] ?? token.chain)
  return {
    currency: token.ticker,
    name: token.ticker,
    fullName: token.name,
    precision: 8,
    confirms: null,
    contractAddress: token.address,
    isMarginEnabled: false,
    isDebitEnabled: false,
    chains: [
      {
        chainName: chainId.toUpperCase(),
        withdrawalMinSize: '1',
        depositMinSize: null,
        withdrawFeeRate: '0',
        withdrawalMinFee: '1',
        isWithdrawEnabled: true,
        isDepositEnabled: true,
        confirms: 12,
        preConfirms: 12,
        contractAddress: token.address ?? '',
        withdrawPrecision: 8,
        needTag: false,
        chainId,
      },
    ],
  }
}

function tickerOf(listing: Listing, view: VenueView): object | null {
  const ticker = listing.status === 'ended' ? null : view.ticker(listing)
  if (ticker === null) return null
  const { priceDecimals, amountDecimals } = listing.market
  const price = (value: number) => decimal(value, priceDecimals, true)
  const symbol = view.wireSymbol(listing.market)
  return {
    symbol,
    symbolName: symbol,
    buy: price(ticker.bid),
    bestBidSize: decimal(ticker.bidAmount, amountDecimals, true),
    sell: price(ticker.ask),
    bestAskSize: decimal(ticker.askAmount, amountDecimals, true),
    changeRate: decimal(ticker.last / ticker.open - 1, 4),
    changePrice: price(ticker.last - ticker.open),
    high: price(ticker.high),
    low: price(ticker.low),
    vol: decimal(ticker.volume, 8, true),
    volValue: decimal(ticker.quoteVolume, 8, true),
    last: price(ticker.last),
    averagePrice: price(ticker.open),
    takerFeeRate: '0.001',
    makerFeeRate: '0.001',
    takerCoefficient: '1',
    makerCoefficient: '1',
  }
}
