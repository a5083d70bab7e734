import { z } from 'zod'
import { endpoint, flag, oneEach, type VenueFile } from '../venue-file.ts'

const row = z.object({ id: z.string(), trade_status: z.string(), delisting_time: z.coerce.number().optional() })

export const venue = {
  ccxt: 'gate',
  use: 'board',
  pools: { main: { units: 160, windowMs: 10_000 } },
  cost: { ...oneEach, markets: 2 },
  published: {
    page: 'https://www.gate.com/docs/developers/apiv4/en/#frequency-limit-rule',
    dated: null,
    pools: { main: { units: 200, windowMs: 10_000 } },
    of: 'endpoint',
    endpoints: {
      markets: '/api/v4/spot/currency_pairs, /api/v4/margin/currency_pairs',
      quotes: '/api/v4/spot/tickers',
      book: '/api/v4/spot/order_book',
      trades: '/api/v4/spot/trades',
      candles: '/api/v4/spot/candlesticks',
      flags: '/api/v4/spot/currency_pairs',
      wallets: '/api/v4/spot/currencies',
    },
  },
  limited: {
    codes: { member: 'label', waits: { TOO_MANY_REQUESTS: null, TOO_FAST: null } },
    reset: { header: 'x-gate-ratelimit-reset-timestamp', unit: 'at_seconds' },
  },
  books: { levels: 100, perCall: 1, deeper: [{ levels: 1_000, cost: 1 }] },
  candles: { max: 999, fillsGaps: true },
  bestPrices: 'in_tickers',
  status: 'trade_status',
  wallets: true,
  contracts: { source: '/api/v4/spot/currencies', list: 'currencies', chain: 'name', address: 'addr' },
  names: { list: 'markets', en: 'base_name', ko: null },
  flags: {
    source: '/api/v4/spot/currency_pairs',
    ask: (client) => endpoint(client, 'publicSpotGetCurrencyPairs', {}),
    read: (raw, { symbolOf, venueTime, rows }) =>
      rows.list(raw, row).flatMap(({ id, trade_status, delisting_time }) => {
        const symbol = symbolOf(id)
        const effectiveAt = delisting_time === undefined || delisting_time <= 0 ? null : delisting_time * 1000
        const announced = effectiveAt !== null && effectiveAt > (venueTime ?? 0)
        return [
          ...(trade_status === 'sellable' ? [flag(symbol, 'trade_status.sellable', 'warning')] : []),
          ...(announced ? [flag(symbol, 'delisting_time', 'delisting_announced', effectiveAt)] : []),
        ]
      }),
  },
} satisfies VenueFile
