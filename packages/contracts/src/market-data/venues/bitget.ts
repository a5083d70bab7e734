import { oneEach, type VenueFile } from '../venue-file.ts'

export const venue = {
  ccxt: 'bitget',
  use: 'board',
  pools: { main: { units: 16, windowMs: 1_000 } },
  cost: oneEach,
  books: { levels: 150, perCall: 1 },
  candles: { max: 1_000, fillsGaps: true },
  bestPrices: 'in_tickers',
  status: 'status',
  wallets: false,
  flags: null,
} satisfies VenueFile
