import { z } from 'zod'
import { announcementsOf } from '../announcement-rows.ts'
import { endpoint, oneEach, type VenueFile } from '../venue-file.ts'

const news = z.object({ result: z.object({ list: z.unknown().optional() }) })
const item = z.object({
  title: z.string(),
  url: z.string(),
  publishTime: z.unknown().optional(),
  dateTimestamp: z.unknown().optional(),
})

export const venue = {
  ccxt: 'bybit',
  use: 'board',
  pools: { main: { units: 80, windowMs: 10_000 } },
  cost: oneEach,
  published: {
    page: 'https://bybit-exchange.github.io/docs/v5/rate-limit',
    dated: null,
    pools: { main: { units: 600, windowMs: 5_000 } },
    of: 'address',
    endpoints: {
      markets: '/v5/market/instruments-info',
      quotes: '/v5/market/tickers',
      book: '/v5/market/orderbook',
      trades: '/v5/market/recent-trade',
      candles: '/v5/market/kline',
    },
  },
  limited: {
    // The ban of an address: all sessions must end for at least ten minutes.
    statuses: { 403: 600_000 },
    codes: { member: 'retCode', waits: { '10006': null, '10018': 600_000 } },
    reset: { header: 'x-bapi-limit-reset-timestamp', unit: 'at_milliseconds' },
  },
  books: { levels: 200, perCall: 1, deeper: [{ levels: 1_000, cost: 1 }] },
  candles: { max: 1_000, fillsGaps: true },
  bestPrices: 'in_tickers',
  status: 'status',
  wallets: false,
  flags: null,
  announcements: {
    source: '/v5/announcements/index',
    documented: true,
    cost: 1,
    ask: (client) =>
      endpoint(client, 'publicGetV5AnnouncementsIndex', { locale: 'en-US', type: 'delistings', limit: 50 }),
    read: (raw, rows) =>
      announcementsOf(
        rows.list(news.parse(raw).result.list, item).map(({ title, url, publishTime, dateTimestamp }) => ({
          id: url,
          title,
          url,
          time: publishTime ?? dateTimestamp,
        })),
      ),
    titles: [
      { pattern: /^Bybit will be delisting (?<list>.+?) spot trading pairs?\.?$/i, meaning: 'delisting_announced' },
      { pattern: /^Delisting of (?<list>.+?) Spot Trading Pairs?$/i, meaning: 'delisting_announced' },
    ],
    utcOffsetHours: 0,
  },
} satisfies VenueFile
