import { z } from 'zod'
import { announcementsOf } from '../announcement-rows.ts'
import { endpoint, oneEach, type VenueFile } from '../venue-file.ts'

const news = z.object({ data: z.unknown().optional() })
const item = z.object({
  annId: z.string(),
  annTitle: z.string(),
  annUrl: z.string().nullish(),
  cTime: z.unknown().optional(),
})

export const venue = {
  ccxt: 'bitget',
  use: 'board',
  pools: { main: { units: 16, windowMs: 1_000 } },
  cost: { ...oneEach, markets: 2 },
  published: {
    page: 'https://www.bitget.com/api-doc/common/notice/Get-All-Notices',
    dated: null,
    pools: { main: { units: 20, windowMs: 1_000 } },
    of: 'endpoint',
    endpoints: {
      markets: '/api/v2/spot/public/symbols, /api/v2/margin/currencies',
      quotes: '/api/v2/spot/market/tickers',
      book: '/api/v2/spot/market/orderbook',
      trades: '/api/v2/spot/market/fills-history',
      candles: '/api/v2/spot/market/candles',
    },
  },
  limited: { codes: { member: 'code', waits: { '429': null, '1001': null } } },
  books: { levels: 150, perCall: 1 },
  candles: { max: 1_000, fillsGaps: true },
  bestPrices: 'in_tickers',
  status: 'status',
  wallets: false,
  flags: null,
  announcements: {
    source: '/api/v2/public/annoucements',
    documented: true,
    cost: 1,
    ask: (client) =>
      endpoint(client, 'publicCommonGetV2PublicAnnoucements', { language: 'en_US', annType: 'symbol_delisting' }),
    read: (raw, rows) =>
      announcementsOf(
        rows
          .list(news.parse(raw).data, item)
          .map(({ annId, annTitle, annUrl, cTime }) => ({ id: annId, title: annTitle, url: annUrl, time: cTime })),
      ),
    titles: [
      {
        pattern: /^(?:\[[^\]]{1,20}\] )?Bitget (?:will|to) delist (?<list>.+?) spot trading pairs?$/i,
        meaning: 'delisting_announced',
      },
    ],
    utcOffsetHours: 0,
  },
} satisfies VenueFile
