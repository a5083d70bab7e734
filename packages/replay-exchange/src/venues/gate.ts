import type { FastifyInstance } from 'fastify'
import type { Listing, Token } from '../feed.ts'
import type { VenueView } from '../view.ts'
import { decimal, timeOf, WireError, wholeNumber, type Query, type VenueWire } from '../wire.ts'

const intervals: Readonly<Record<string, number>> = {
  '1m': 1,
  '5m': 5,
  '15m': 15,
  '30m': 30,
  '1h': 60,
  '4h': 240,
  '8h': 480,
  '1d': 1_440,
}
const chainNames: Readonly<Record<string, string>> = {
  'eip155:1': 'ETH',
  'eip155:56': 'BSC',
  'eip155:8453': 'BASEEVM',
  'eip155:42161': 'ARBEVM',
}
const DAY_MS = 86_400_000
const SECOND_MS = 1_000

/** Gate spot, `/api/v4`. */
export const gate: VenueWire = {
  id: 'gate',
  limit: { windowMs: 10_000, budget: 200, defaultWeight: 1, bansAfter: null },
  wireSymbol: ({ base, quote }) => `${base}_${quote}`,
  limitHeaders: ({ used, budget, resetMs }, now) => ({
    'x-gate-ratelimit-limit': String(budget),
    'x-gate-ratelimit-requests-remain': String(budget - used),
    'x-gate-ratelimit-reset-timestamp': String(Math.floor((now + resetMs) / SECOND_MS)),
  }),
  limited: () => ({ label: 'TOO_MANY_REQUESTS', message: 'Request Rate Limit Exceeded' }),
  unavailable: (status) => (status === 500 ? { label: 'SERVER_ERROR', message: 'Internal server error' } : null),
  routes: gateRoutes,
}

function gateRoutes(app: FastifyInstance, view: VenueView): void {
  const find = (query: Query): Listing => {
    const symbol = query['currency_pair'] ?? ''
    const listing = view.find(symbol)
    if (!listing)
      throw new WireError(400, { label: 'INVALID_CURRENCY_PAIR', message: `Invalid currency pair ${symbol}` })
    return listing
  }
  app.get('/api/v4/spot/time', async () => ({ server_time: view.now() }))
  app.get('/api/v4/margin/currency_pairs', async () => [])
  app.get('/api/v4/spot/currency_pairs', async () => view.listings().map((listing) => pairOf(listing, view)))
  app.get('/api/v4/spot/currencies', async () => {
    const tokens = new Map(view.listings().map((listing) => [listing.market.base, listing]))
    return [...tokens.values()].map(({ market, status }) =>
      currencyOf(market.token, status !== 'trading', view.walletsClosed()),
    )
  })
  app.get<{ Querystring: Query }>('/api/v4/spot/tickers', async ({ query }) => {
    const listings = query['currency_pair'] === undefined ? view.listings() : [find(query)]
    return listings.flatMap((listing) => tickerOf(listing, view) ?? [])
  })
  app.get<{ Querystring: Query }>('/api/v4/spot/order_book', async ({ query }) => {
    const listing = find(query)
    const { priceDecimals, amountDecimals } = listing.market
    const { bids, asks, at, sequence } = view.book(listing, wholeNumber(query, 'limit', 10, 1_000))
    const level = ([price, amount]: readonly [number, number]) => [
      decimal(price, priceDecimals, true),
      decimal(amount, amountDecimals, true),
    ]
    const id = query['with_id'] === 'true' ? { id: sequence } : {}
    return { ...id, current: at, update: at, asks: asks.map(level), bids: bids.map(level) }
  })
  app.get<{ Querystring: Query }>('/api/v4/spot/trades', async ({ query }) => {
    const listing = find(query)
    const { priceDecimals, amountDecimals } = listing.market
    const limit = wholeNumber(query, 'limit', 100, 1_000)
    const trades = view.trades(listing, limit, timeOf(query, 'from', SECOND_MS), timeOf(query, 'to', SECOND_MS))
    return trades.reverse().map((trade) => ({
      id: String(trade.id),
      create_time: String(Math.floor(trade.at / SECOND_MS)),
      create_time_ms: `${trade.at}.000000`,
      currency_pair: query['currency_pair'],
      side: trade.side,
      amount: decimal(trade.amount, Math.max(8, amountDecimals), true),
      price: decimal(trade.price, priceDecimals, true),
      sequence_id: String(trade.id),
    }))
  })
  app.get<{ Querystring: Query }>('/api/v4/spot/candlesticks', async ({ query }) => {
    const listing = find(query)
    const minutes = intervals[query['interval'] ?? '30m']
    if (minutes === undefined) throw new WireError(400, { label: 'INVALID_PARAM_VALUE', message: 'Invalid interval' })
    const from = timeOf(query, 'from', SECOND_MS)
    const limit = wholeNumber(query, 'limit', from === undefined ? 100 : 1_000, 1_000)
    const price = (value: number) => decimal(value, listing.market.priceDecimals, true)
    return view
      .candles(listing, { minutes, limit, from, to: timeOf(query, 'to', SECOND_MS) })
      .map((candle) => [
        String(candle.at / SECOND_MS),
        decimal(candle.quoteVolume, 8, true),
        ...[candle.close, candle.high, candle.low, candle.open].map(price),
        decimal(candle.volume, 8, true),
        String(candle.at + minutes * 60 * SECOND_MS <= view.now()),
      ])
  })
}

function pairOf({ market, status, warning, endsAt }: Listing, view: VenueView): object {
  // On its last day a pair that will be delisted can only be sold.
  const lastDay = endsAt !== null && view.now() >= endsAt - DAY_MS
  return {
    id: view.wireSymbol(market),
    base: market.base,
    base_name: market.token.name,
    quote: market.quote,
    quote_name: market.quote,
    fee: '0.2',
    min_base_amount: decimal(10 ** -market.amountDecimals, market.amountDecimals),
    min_quote_amount: '3',
    max_quote_amount: '5000000',
    amount_precision: market.amountDecimals,
    precision: market.priceDecimals,
    trade_status: status !== 'trading' ? 'untradable' : lastDay ? 'sellable' : 'tradable',
    sell_start: Math.floor(market.listedAt / SECOND_MS),
    buy_start: Math.floor(market.listedAt / SECOND_MS),
    delisting_time: endsAt === null ? 0 : Math.floor(endsAt / SECOND_MS),
    type: 'normal',
    st_tag: warning !== 'none',
  }
}

function currencyOf(token: Token, closed: boolean, walletsClosed: boolean): object {
  const chain = token.chain === null ? token.ticker : (chainNames[token.chain] ?? token.chain)
  const flags = {
    withdraw_disabled: walletsClosed,
    withdraw_delayed: false,
    deposit_disabled: closed || walletsClosed,
  }
  return {
    currency: token.ticker,
    name: token.name,
    delisted: closed,
    ...flags,
    trade_disabled: closed,
    chain,
    chains: [{ name: chain, addr: token.address ?? '', ...flags }],
  }
}

function tickerOf(listing: Listing, view: VenueView): object | null {
  const ticker = listing.status === 'ended' ? null : view.ticker(listing)
  if (ticker === null) return null
  const { priceDecimals, amountDecimals } = listing.market
  const price = (value: number) => (value === 0 ? '' : decimal(value, priceDecimals, true))
  const amount = (value: number) => (value === 0 ? '' : decimal(value, amountDecimals, true))
  return {
    currency_pair: view.wireSymbol(listing.market),
    last: price(ticker.last),
    lowest_ask: price(ticker.ask),
    lowest_size: amount(ticker.askAmount),
    highest_bid: price(ticker.bid),
    highest_size: amount(ticker.bidAmount),
    change_percentage: decimal((ticker.last / ticker.open - 1) * 100, 2),
    base_volume: decimal(ticker.volume, 8, true),
    quote_volume: decimal(ticker.quoteVolume, 8, true),
    high_24h: price(ticker.high),
    low_24h: price(ticker.low),
  }
}
