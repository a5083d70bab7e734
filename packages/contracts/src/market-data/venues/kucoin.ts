import { z } from 'zod'
import { endpoint, flag, type VenueFile } from '../venue-file.ts'

const answer = z.object({ data: z.array(z.object({ symbol: z.string(), st: z.boolean().optional() })) })

export const venue = {
  ccxt: 'kucoin',
  use: 'board',
  pools: { main: { units: 3_200, windowMs: 30_000 } },
  cost: { markets: 4, quotes: 15, book: 4, trades: 3, candles: 3, flags: 4, wallets: 4 },
  books: { levels: 100, perCall: 1 },
  candles: { max: 1_440, fillsGaps: false },
  bestPrices: 'in_tickers',
  status: 'enableTrading',
  wallets: true,
  contracts: { source: '/api/v3/currencies', list: 'currencies', chain: 'chainId', address: 'contractAddress' },
  names: { list: 'currencies', en: 'fullName', ko: null },
  flags: {
    ask: (client) => endpoint(client, 'publicGetSymbols', {}),
    read: (raw, symbolOf) =>
      answer
        .parse(raw)
        .data.flatMap(({ symbol, st }) => (st === true ? [flag(symbolOf(symbol), 'st', 'warning')] : [])),
  },
} satisfies VenueFile
