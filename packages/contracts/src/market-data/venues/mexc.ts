import { z } from 'zod'
import { announcementsOf } from '../announcement-rows.ts'
import { endpoint, flag, type VenueFile } from '../venue-file.ts'

const news = z.object({ data: z.object({ list: z.unknown().optional() }) })
const item = z.object({ title: z.string(), url: z.string(), postTime: z.unknown().optional() })
const answer = z.object({ symbols: z.unknown().optional() })
const row = z.object({ symbol: z.string(), st: z.boolean().optional() })

export const venue = {
  ccxt: 'mexc',
  use: 'board',
  pools: { main: { units: 400, windowMs: 10_000 } },
  cost: { markets: 10, quotes: 80, book: 3, trades: 1, candles: 1, flags: 1, wallets: 1 },
  published: {
    page: 'https://www.mexc.com/api-docs/spot-v3/general-info',
    dated: null,
    pools: { main: { units: 500, windowMs: 10_000 } },
    of: 'endpoint',
    endpoints: {
      markets: '/api/v3/exchangeInfo, /api/v1/contract/detail',
      quotes: '/api/v3/ticker/24hr, /api/v3/ticker/bookTicker',
      book: '/api/v3/depth',
      trades: '/api/v3/aggTrades',
      candles: '/api/v3/klines',
      flags: '/api/v3/exchangeInfo',
    },
  },
  limited: { codes: { member: 'code', waits: { '429': null, '510': null } } },
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
    source: '/api/v3/exchangeInfo',
    ask: (client) => endpoint(client, 'spotPublicGetExchangeInfo', {}),
    read: (raw, { symbolOf, rows }) =>
      rows
        .list(answer.parse(raw).symbols, row)
        .flatMap(({ symbol, st }) => (st === true ? [flag(symbolOf(symbol), 'st', 'warning')] : [])),
  },
  announcements: {
    source: '/api/v3/announcements',
    documented: true,
    cost: 100,
    ask: (client) => endpoint(client, 'spotPublicGetAnnouncements', { language: 'en-US', page: 1, limit: 50 }),
    read: (raw, rows) =>
      announcementsOf(
        rows
          .list(news.parse(raw).data.list, item)
          .map(({ title, url, postTime }) => ({ id: url, title, url, time: postTime })),
      ),
    titles: [
      {
        pattern: /^MEXC (?:Will|to) Delist (?<list>.+?)(?: on (?<date>\d{4}-\d{2}-\d{2}))?$/i,
        meaning: 'delisting_announced',
      },
    ],
    utcOffsetHours: 0,
  },
} satisfies VenueFile
