import { oneEach, type VenueFile } from '../venue-file.ts'

export const venue = {
  ccxt: 'okx',
  use: 'board',
  // The endpoint of complete books has a limit of its own.
  pools: { main: { units: 32, windowMs: 2_000 }, fullBooks: { units: 8, windowMs: 2_000 } },
  cost: oneEach,
  books: {
    levels: 100,
    perCall: 1,
    deeper: [
      { levels: 400, cost: 1 },
      { levels: 5_000, cost: { pool: 'fullBooks', units: 1 } },
    ],
  },
  candles: { max: 300, fillsGaps: true },
  bestPrices: 'in_tickers',
  status: 'state',
  wallets: false,
  flags: null,
} satisfies VenueFile
