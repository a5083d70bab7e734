import { oneEach, type VenueFile } from '../venue-file.ts'

export const venue = {
  ccxt: 'htx',
  use: 'board',
  pools: { main: { units: 8, windowMs: 1_000 } },
  cost: oneEach,
  published: {
    page: 'https://huobiapi.github.io/docs/spot/v1/en/#rate-limiting-rule',
    dated: null,
    pools: { main: { units: 10, windowMs: 1_000 } },
    of: 'address',
    endpoints: {
      markets: '/v1/common/symbols',
      quotes: '/market/tickers',
      book: '/market/depth',
      trades: '/market/history/trade',
      candles: '/market/history/candles',
    },
  },
  limited: {
    codes: {
      member: 'err-code',
      waits: { 'rate-too-many-requests': null, 'base-request-exceed-frequency-limit': null },
    },
  },
  books: { levels: 20, perCall: 1, deeper: [{ levels: 150, cost: 1 }] },
  candles: { max: 1_440, fillsGaps: true },
  bestPrices: 'in_tickers',
  status: 'state',
  wallets: false,
  flags: null,
} satisfies VenueFile
