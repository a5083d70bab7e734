import type { VenueFile } from '../venue-file.ts'

export const venue = {
  ccxt: 'binance',
  use: 'board',
  pools: { main: { units: 4_800, windowMs: 60_000 } },
  cost: { markets: 20, quotes: 84, book: 5, trades: 25, candles: 2, flags: 1, wallets: 1 },
  books: {
    levels: 100,
    perCall: 1,
    deeper: [
      { levels: 500, cost: 25 },
      { levels: 1_000, cost: 50 },
      { levels: 5_000, cost: 250 },
    ],
  },
  candles: { max: 1_000, fillsGaps: true },
  bestPrices: 'own_call',
  status: 'status',
  wallets: false,
  flags: null,
} satisfies VenueFile
