import { oneEach, type VenueFile } from '../venue-file.ts'

export const venue = {
  ccxt: 'htx',
  use: 'board',
  pools: { main: { units: 8, windowMs: 1_000 } },
  cost: oneEach,
  books: { levels: 20, perCall: 1, deeper: [{ levels: 150, cost: 1 }] },
  candles: { max: 1_440, fillsGaps: true },
  bestPrices: 'in_tickers',
  status: 'state',
  wallets: false,
  flags: null,
} satisfies VenueFile
