import { z } from 'zod'
import { endpoint, flag, oneEach, type VenueFile } from '../venue-file.ts'

const row = z.object({
  market: z.string(),
  market_event: z
    .object({ warning: z.boolean().optional(), caution: z.record(z.string(), z.boolean()).optional() })
    .optional(),
})

export const venue = {
  ccxt: 'upbit',
  use: 'board',
  pools: { main: { units: 8, windowMs: 1_000 } },
  cost: oneEach,
  published: {
    page: 'https://docs.upbit.com/kr/reference/rate-limits',
    dated: '2026-10-07',
    pools: { main: { units: 10, windowMs: 1_000 } },
    of: 'group',
    endpoints: {
      markets: '/v1/market/all',
      quotes: '/v1/ticker/all',
      book: '/v1/orderbook',
      trades: '/v1/trades/ticks',
      candles: '/v1/candles/minutes/1',
      flags: '/v1/market/all',
    },
  },
  books: {
    levels: 30,
    perCall: 80,
    many: async (client, symbols, limit) => Object.values((await client.fetchOrderBooks(symbols, limit)) as object),
  },
  candles: { max: 200, fillsGaps: false },
  bestPrices: 'in_tickers',
  status: null,
  wallets: false,
  names: { list: 'markets', en: 'english_name', ko: 'korean_name' },
  flags: {
    source: '/v1/market/all?is_details=true',
    ask: (client) => endpoint(client, 'publicGetMarketAll', { is_details: 'true' }),
    read: (raw, { symbolOf, rows }) =>
      rows.list(raw, row).flatMap(({ market, market_event }) => {
        const symbol = symbolOf(market)
        const cautions = Object.entries(market_event?.caution ?? {}).filter(([, raised]) => raised)
        return [
          ...(market_event?.warning === true ? [flag(symbol, 'market_event.warning', 'warning')] : []),
          ...cautions.map(([name]) => flag(symbol, `market_event.caution.${name}`, 'caution')),
        ]
      }),
  },
} satisfies VenueFile
