import { z } from 'zod'
import { announcementsOf } from '../announcement-rows.ts'
import { endpoint, oneEach, type VenueFile } from '../venue-file.ts'

const news = z.object({ data: z.unknown().optional() })
const page = z.object({ details: z.array(z.unknown()) })
const item = z.object({ title: z.string(), url: z.string(), pTime: z.unknown().optional() })

export const venue = {
  ccxt: 'okx',
  use: 'board',
  // The endpoint of complete books has a limit of its own.
  pools: { main: { units: 32, windowMs: 2_000 }, fullBooks: { units: 8, windowMs: 2_000 } },
  cost: oneEach,
  published: {
    page: 'https://www.okx.com/docs-v5/en/#order-book-trading-market-data',
    dated: null,
    pools: { main: { units: 40, windowMs: 2_000 }, fullBooks: { units: 10, windowMs: 2_000 } },
    of: 'endpoint',
    endpoints: {
      markets: '/api/v5/public/instruments',
      quotes: '/api/v5/market/tickers',
      book: '/api/v5/market/books',
      trades: '/api/v5/market/trades',
      candles: '/api/v5/market/candles',
    },
  },
  limited: { codes: { member: 'code', waits: { '50011': null } } },
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
  announcements: {
    source: '/api/v5/support/announcements',
    documented: true,
    // Five calls in two seconds, where the pool has 40.
    cost: 8,
    ask: (client) => endpoint(client, 'publicGetSupportAnnouncements', { annType: 'announcements-delistings' }),
    read: (raw, rows) =>
      announcementsOf(
        rows
          .list(news.parse(raw).data, page)
          .flatMap(({ details }) => rows.list(details, item))
          .map(({ title, url, pTime }) => ({ id: url, title, url, time: pTime })),
      ),
    titles: [{ pattern: /^OKX to delist (?<list>.+?) spot trading pairs?$/i, meaning: 'delisting_announced' }],
    utcOffsetHours: 0,
  },
} satisfies VenueFile
