import { oneEach, type VenueFile } from '../venue-file.ts'

export const venue = {
  ccxt: 'okx',
  use: 'board',
  pools: { main: { units: 32, windowMs: 2_000 } },
  cost: oneEach,
  books: { levels: 100, perCall: 1 },
  candles: { max: 300, fillsGaps: true },
  bestPrices: 'in_tickers',
  status: 'state',
  wallets: false,
  flags: null,
} satisfies VenueFile
