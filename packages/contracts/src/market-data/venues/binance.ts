import { z } from 'zod'
import { announcementsOf } from '../announcement-rows.ts'
import type { VenueFile } from '../venue-file.ts'

const PAGE = '/bapi/composite/v1/public/cms/article/list/query'
/** Delistings, and news, among which tags are announced. */
const CATALOGUES = [161, 49]
const article = z.object({ code: z.string(), title: z.string(), releaseDate: z.unknown().optional() })
const catalogue = z.object({ catalogId: z.number(), articles: z.array(z.unknown()) })
const answer = z.object({ data: z.object({ catalogs: z.unknown().optional() }) })

export const venue = {
  ccxt: 'binance',
  use: 'board',
  // The website is another host than the API; one page a minute, and its refusals do not close the API's budget.
  pools: { main: { units: 4_800, windowMs: 60_000 }, website: { units: 4, windowMs: 60_000 } },
  cost: { markets: 20, quotes: 84, book: 5, trades: 4, candles: 2, flags: 1, wallets: 1 },
  published: {
    page: 'https://developers.binance.com/docs/binance-spot-api-docs/rest-api/limits',
    dated: null,
    pools: { main: { units: 6_000, windowMs: 60_000 }, website: null },
    of: 'address',
    endpoints: {
      markets: '/api/v3/exchangeInfo',
      quotes: '/api/v3/ticker/24hr, /api/v3/ticker/bookTicker',
      book: '/api/v3/depth',
      trades: '/api/v3/aggTrades',
      candles: '/api/v3/klines',
    },
  },
  limited: {
    statuses: { 403: null },
    codes: { member: 'code', waits: { '-1003': null } },
    until: { member: 'msg', pattern: /banned until (\d{13})/ },
  },
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
  announcements: {
    source: PAGE,
    documented: false,
    cost: { pool: 'website', units: 1 },
    ask: (client) => client.readPage(`https://www.binance.com${PAGE}?type=1&pageNo=1&pageSize=50`),
    read: (raw, rows) =>
      announcementsOf(
        rows
          .list(answer.parse(raw).data.catalogs, catalogue)
          .filter(({ catalogId }) => CATALOGUES.includes(catalogId))
          .flatMap(({ articles }) => rows.list(articles, article))
          .map(({ code, title, releaseDate }) => ({
            id: code,
            title,
            url: `https://www.binance.com/en/support/announcement/${encodeURIComponent(code)}`,
            time: releaseDate,
          })),
      ),
    titles: [
      {
        pattern: /^Binance Will Delist (?<list>.+?) on (?<date>\d{4}[-/]\d{2}[-/]\d{2})$/,
        meaning: 'delisting_announced',
      },
      {
        pattern: /^Binance Will Extend the Monitoring Tag to Include (?<list>.+?)(?: on \d{4}-\d{2}-\d{2})?$/,
        meaning: 'warning',
      },
    ],
    utcOffsetHours: 0,
  },
} satisfies VenueFile
