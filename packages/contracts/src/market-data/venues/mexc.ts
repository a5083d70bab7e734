import { z } from 'zod'
import { endpoint, flag, type VenueFile } from '../venue-file.ts'

const answer = z.object({ symbols: z.array(z.object({ symbol: z.string(), st: z.boolean().optional() })) })

export const venue = {
  ccxt: 'mexc',
  use: 'board',
  pools: { main: { units: 400, windowMs: 10_000 } },
  cost: { markets: 10, quotes: 80, book: 3, trades: 5, candles: 1, flags: 1, wallets: 1 },
  books: {
    levels: 100,
    perCall: 1,
    deeper: [
      { levels: 1_000, cost: 3 },
      { levels: 5_000, cost: 3 },
    ],
  },
  candles: { max: 500, fillsGaps: true },
  bestPrices: 'own_call',
  status: 'status',
  wallets: false,
  // Networks and their contracts are published to account holders; the market list has one address without its chain.
  contracts: { source: '/api/v3/exchangeInfo', list: 'markets', chain: null, address: 'contractAddress' },
  names: { list: 'markets', en: 'fullName', ko: null },
  flags: {
    ask: (client) => endpoint(client, 'spotPublicGetExchangeInfo', {}),
    read: (raw, symbolOf) =>
      answer
        .parse(raw)
        .symbols.flatMap(({ symbol, st }) => (st === true ? [flag(symbolOf(symbol), 'st', 'warning')] : [])),
  },
} satisfies VenueFile
