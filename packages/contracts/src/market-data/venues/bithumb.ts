import { z } from 'zod'
import { endpoint, flag, oneEach, type VenueFile } from '../venue-file.ts'

const row = z.object({ market: z.string(), market_warning: z.string().optional() })
const unit = z.object({ bid_price: z.number(), bid_size: z.number(), ask_price: z.number(), ask_size: z.number() })
const books = z.array(z.object({ market: z.string(), timestamp: z.number(), orderbook_units: z.array(unit) }))

/** Reads Bithumb's answer, which has a level of both sides in one object and names markets QUOTE-BASE. */
export function readBithumbBooks(raw: unknown): unknown[] {
  return books.parse(raw).map(({ market, timestamp, orderbook_units }) => ({
    symbol: market.split('-').reverse().join('/'),
    timestamp,
    bids: orderbook_units.map((one) => [one.bid_price, one.bid_size]),
    asks: orderbook_units.map((one) => [one.ask_price, one.ask_size]),
  }))
}

export const venue = {
  ccxt: 'bithumb',
  use: 'board',
  pools: { main: { units: 96, windowMs: 1_000 } },
  cost: oneEach,
  books: {
    levels: 30,
    perCall: 80,
    // ccxt reads one book of Bithumb at a time.
    many: async (client, symbols) => {
      const markets = symbols.map((symbol) => symbol.split('/').reverse().join('-')).join(',')
      return readBithumbBooks(await endpoint(client, 'publicGetV1Orderbook', { markets }))
    },
  },
  candles: { max: 200, fillsGaps: false },
  bestPrices: 'in_tickers',
  status: null,
  wallets: false,
  names: { list: 'markets', en: 'english_name', ko: 'korean_name' },
  flags: {
    ask: (client) => endpoint(client, 'publicGetV1MarketAll', { isDetails: 'true' }),
    read: (raw, symbolOf) =>
      z
        .array(row)
        .parse(raw)
        .flatMap(({ market, market_warning }) =>
          market_warning === undefined || market_warning === 'NONE'
            ? []
            : [flag(symbolOf(market), `market_warning.${market_warning}`, 'caution')],
        ),
  },
} satisfies VenueFile
