import { oneEach, type VenueFile } from '../venue-file.ts'

export const venue = {
  ccxt: 'bybit',
  use: 'board',
  pools: { main: { units: 80, windowMs: 10_000 } },
  cost: oneEach,
  books: { levels: 200, perCall: 1, deeper: [{ levels: 1_000, cost: 1 }] },
  candles: { max: 1_000, fillsGaps: true },
  bestPrices: 'in_tickers',
  status: 'status',
  wallets: false,
  flags: null,
} satisfies VenueFile
