import { z } from 'zod'
import { announcementsOf } from '../announcement-rows.ts'
import { endpoint, flag, type VenueFile } from '../venue-file.ts'

const news = z.object({ data: z.object({ items: z.unknown().optional() }) })
const item = z.object({
  annId: z.number(),
  annTitle: z.string(),
  annUrl: z.string().nullish(),
  cTime: z.unknown().optional(),
})
const answer = z.object({ data: z.unknown().optional() })
const row = z.object({ symbol: z.string(), st: z.boolean().optional() })

export const venue = {
  ccxt: 'kucoin',
  use: 'board',
  // The pool `Public`, which is the same for every level of account.
  pools: { main: { units: 1_600, windowMs: 30_000 } },
  cost: { markets: 19, quotes: 15, book: 4, trades: 3, candles: 3, flags: 4, wallets: 4 },
  published: {
    page: 'https://www.kucoin.com/docs-new/rate-limit',
    dated: null,
    pools: { main: { units: 2_000, windowMs: 30_000 } },
    of: 'address',
    endpoints: {
      markets: '/api/v2/symbols, /api/v1/market/allTickers',
      quotes: '/api/v1/market/allTickers',
      book: '/api/v1/market/orderbook/level2_100',
      trades: '/api/v1/market/histories',
      candles: '/api/v1/market/candles',
      flags: '/api/v2/symbols',
      wallets: '/api/v3/currencies',
    },
  },
  limited: {
    codes: { member: 'code', waits: { '429000': null } },
    reset: { header: 'gw-ratelimit-reset', unit: 'milliseconds' },
  },
  books: { levels: 100, perCall: 1 },
  candles: { max: 1_440, fillsGaps: false },
  bestPrices: 'in_tickers',
  status: 'enableTrading',
  wallets: true,
  contracts: { source: '/api/v3/currencies', list: 'currencies', chain: 'chainId', address: 'contractAddress' },
  names: { list: 'currencies', en: 'fullName', ko: null },
  flags: {
    source: '/api/v2/symbols',
    ask: (client) => endpoint(client, 'publicGetSymbols', {}),
    read: (raw, { symbolOf, rows }) =>
      rows
        .list(answer.parse(raw).data, row)
        .flatMap(({ symbol, st }) => (st === true ? [flag(symbolOf(symbol), 'st', 'warning')] : [])),
  },
  announcements: {
    source: '/api/v3/announcements',
    documented: true,
    cost: 20,
    ask: (client) => endpoint(client, 'publicGetAnnouncements', { annType: 'delistings', lang: 'en_US', pageSize: 50 }),
    read: (raw, rows) =>
      announcementsOf(
        rows.list(news.parse(raw).data.items, item).map(({ annId, annTitle, annUrl, cTime }) => ({
          id: annId,
          title: annTitle,
          url: annUrl,
          time: cTime,
        })),
      ),
    titles: [
      {
        pattern: /^(?:ST: )?KuCoin Will Delist (?<list>.+?)(?: on (?<date>\d{4}-\d{2}-\d{2}))?$/,
        meaning: 'delisting_announced',
      },
    ],
    utcOffsetHours: 0,
  },
} satisfies VenueFile
