import type { FastifyInstance } from 'fastify'
import { MINUTE, type Listing } from '../feed.ts'
import type { TimedCandle } from '../history.ts'
import type { VenueView } from '../view.ts'
import { WireError, wholeNumber, type Query, type VenueWire } from '../wire.ts'

const KST_MS = 9 * 3_600_000
const units = [1, 3, 5, 10, 15, 30, 60, 240]
const LEVELS = 30
const MARKETS_MAX = 500

/** Upbit, `/v1`: quote first, numbers as JSON numbers, books and tickers of many markets in one request. */
export const upbit: VenueWire = {
  id: 'upbit',
  limit: { windowMs: 1_000, budget: 10, defaultWeight: 1, bansAfter: 30 },
  wireSymbol: ({ base, quote }) => `${quote}-${base}`,
  limitHeaders: ({ used, budget }) => ({
    'remaining-req': `group=market; min=${budget * 60 - used}; sec=${budget - used}`,
  }),
  limited: () => ({ error: { name: 'too_many_requests', message: '요청 수 제한을 초과했습니다.' } }),
  unavailable: (status) =>
    status === 500 ? { error: { name: 'server_error', message: '서버에서 오류가 발생했습니다.' } } : null,
  routes: (app, view) => quoteFirstRoutes(app, view, marketOf),
}

const notFound = () => new WireError(404, { error: { name: 404, message: 'Code not found' } })

/** A row of the market list; `details` asks for warnings. */
type MarketRow = (listing: Listing, view: VenueView, details: boolean) => object

/**
 * Serves the routes that Upbit has and that Bithumb has adopted, with a venue's own rows of the market list, and the levels
 * of its books when many are asked for at once.
 */
export function quoteFirstRoutes(app: FastifyInstance, view: VenueView, rowOf: MarketRow, levelsOfMany = LEVELS): void {
  const find = (symbol: string | undefined): Listing => {
    const listing = view.find(symbol ?? '')
    if (!listing || listing.status === 'ended') throw notFound()
    return listing
  }
  const many = (query: Query): Listing[] => {
    const symbols = (query['markets'] ?? '').split(',').filter((symbol) => symbol !== '')
    if (symbols.length === 0 || symbols.length > MARKETS_MAX)
      throw new WireError(400, { error: { name: 400, message: 'Missing request parameter error. Check the required parameters!' } }) // prettier-ignore
    return symbols.map(find)
  }
  app.get<{ Querystring: Query }>('/v1/market/all', async ({ query }) => {
    const details = [query['is_details'], query['isDetails']].includes('true')
    return view
      .listings()
      .filter(({ status }) => status !== 'ended')
      .map((listing) => rowOf(listing, view, details))
  })
  app.get<{ Querystring: Query }>('/v1/ticker', async ({ query }) =>
    many(query).flatMap((listing) => tickerOf(listing, view) ?? []),
  )
  app.get<{ Querystring: Query }>('/v1/ticker/all', async ({ query }) => {
    const quotes = (query['quote_currencies'] ?? query['quoteCurrencies'] ?? '').split(',')
    return view
      .listings()
      .filter(({ market, status }) => quotes.includes(market.quote) && status !== 'ended')
      .flatMap((listing) => tickerOf(listing, view) ?? [])
  })
  app.get<{ Querystring: Query }>('/v1/orderbook', async ({ query }) => {
    const count = wholeNumber(query, 'count', LEVELS, LEVELS)
    const listings = many(query)
    return listings.map((listing) => bookOf(listing, view, listings.length > 1 ? Math.min(count, levelsOfMany) : count))
  })
  app.get<{ Querystring: Query }>('/v1/trades/ticks', async ({ query }) => {
    const listing = find(query['market'])
    const trades = view.trades(listing, wholeNumber(query, 'count', 1, 500))
    return trades.reverse().map((trade) => ({
      market: query['market'],
      trade_date_utc: isoOf(trade.at).slice(0, 10),
      trade_time_utc: isoOf(trade.at).slice(11, 19),
      timestamp: trade.at,
      trade_price: trade.price,
      trade_volume: rounded(trade.amount),
      prev_closing_price: trade.price,
      change_price: 0,
      ask_bid: trade.side === 'sell' ? 'ASK' : 'BID',
      sequential_id: trade.id,
    }))
  })
  app.get<{ Querystring: Query; Params: { unit: string } }>('/v1/candles/minutes/:unit', async ({ query, params }) => {
    const unit = Number(params.unit)
    if (!units.includes(unit)) throw new WireError(400, { error: { name: 400, message: 'Invalid unit.' } })
    return candlesOf(query, unit).map((candle) => ({ ...candle, unit }))
  })
  app.get<{ Querystring: Query }>('/v1/candles/days', async ({ query }) => candlesOf(query, 1_440))

  const candlesOf = (query: Query, unit: number) => {
    const listing = find(query['market'])
    const to = query['to'] === undefined ? undefined : Date.parse(query['to'])
    // `to` is exclusive.
    const end = to === undefined || Number.isNaN(to) ? undefined : to - 1
    const count = wholeNumber(query, 'count', 1, 200)
    // A minute without a trade has no candle and does not count; the minute under way often has none yet.
    return view
      .candles(listing, { minutes: unit, limit: count + 1, to: end })
      .filter((candle) => candle.trades > 0)
      .slice(-count)
      .reverse()
      .map((candle) => candleOf(candle, unit, query['market'] ?? ''))
  }
}

function marketOf({ market, warning }: Listing, view: VenueView, details: boolean): object {
  const names = {
    market: view.wireSymbol(market),
    korean_name: market.token.koreanName,
    english_name: market.token.name,
  }
  if (!details) return names
  const caution = {
    PRICE_FLUCTUATIONS: false,
    TRADING_VOLUME_SOARING: false,
    DEPOSIT_AMOUNT_SOARING: false,
    GLOBAL_PRICE_DIFFERENCES: false,
    CONCENTRATION_OF_SMALL_ACCOUNTS: warning === 'caution',
  }
  return { ...names, market_event: { warning: warning === 'delisting', caution } }
}

function tickerOf(listing: Listing, view: VenueView): object | null {
  const ticker = view.ticker(listing)
  if (ticker === null) return null
  const now = view.now()
  const trade = view.trades(listing, 1).at(-1)
  const at = trade?.at ?? now
  const change = ticker.last - ticker.open
  return {
    market: view.wireSymbol(listing.market),
    trade_date: isoOf(at).slice(0, 10).replaceAll('-', ''),
    trade_time: isoOf(at).slice(11, 19).replaceAll(':', ''),
    trade_date_kst: isoOf(at + KST_MS).slice(0, 10).replaceAll('-', ''), // prettier-ignore
    trade_time_kst: isoOf(at + KST_MS).slice(11, 19).replaceAll(':', ''), // prettier-ignore
    trade_timestamp: at,
    opening_price: ticker.open,
    high_price: ticker.high,
    low_price: ticker.low,
    trade_price: ticker.last,
    prev_closing_price: ticker.open,
    change: change > 0 ? 'RISE' : change < 0 ? 'FALL' : 'EVEN',
    change_price: Math.abs(change),
    change_rate: Math.abs(change) / ticker.open,
    signed_change_price: change,
    signed_change_rate: change / ticker.open,
    trade_volume: trade?.amount ?? 0,
    acc_trade_price: ticker.quoteVolume,
    acc_trade_price_24h: ticker.quoteVolume,
    acc_trade_volume: ticker.volume,
    acc_trade_volume_24h: ticker.volume,
    timestamp: now,
  }
}

function bookOf(listing: Listing, view: VenueView, count: number): object {
  const { bids, asks, at } = view.book(listing, count)
  const levels = Math.min(bids.length, asks.length)
  const total = (side: readonly (readonly [number, number])[]) =>
    rounded(side.reduce((sum, level) => sum + level[1], 0))
  return {
    market: view.wireSymbol(listing.market),
    timestamp: at,
    total_ask_size: total(asks),
    total_bid_size: total(bids),
    orderbook_units: Array.from({ length: levels }, (_, index) => ({
      ask_price: asks[index]?.[0],
      bid_price: bids[index]?.[0],
      ask_size: asks[index]?.[1],
      bid_size: bids[index]?.[1],
    })),
    level: 0,
  }
}

function candleOf(candle: TimedCandle, unit: number, market: string) {
  return {
    market,
    candle_date_time_utc: isoOf(candle.at).slice(0, 19),
    candle_date_time_kst: isoOf(candle.at + KST_MS).slice(0, 19),
    opening_price: candle.open,
    high_price: candle.high,
    low_price: candle.low,
    trade_price: candle.close,
    timestamp: candle.at + unit * MINUTE - 1,
    candle_acc_trade_price: candle.quoteVolume,
    candle_acc_trade_volume: rounded(candle.volume),
  }
}

function isoOf(at: number): string {
  return new Date(at).toISOString()
}

function rounded(amount: number): number {
  return Number(amount.toFixed(8))
}
