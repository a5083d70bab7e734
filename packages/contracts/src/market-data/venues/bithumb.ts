import { z } from 'zod'
import { announcementsOf } from '../announcement-rows.ts'
import { endpoint, flag, oneEach, type VenueFile } from '../venue-file.ts'

const notice = z.object({ title: z.string(), pc_url: z.string(), published_at: z.string() })
const row = z.object({ market: z.string(), market_warning: z.string().optional() })
/** An alarm of the venue's own surveillance, as a sudden change of the price, until a time of Seoul. */
const alarm = z.object({
  market: z.string(),
  warning_type: z.string(),
  warning_step: z.string().optional(),
  end_date: z.string(),
})
const ALARMS = '/v1/market/virtual_asset_warning'
const unit = z.object({ bid_price: z.number(), bid_size: z.number(), ask_price: z.number(), ask_size: z.number() })
const book = z.object({ market: z.string(), timestamp: z.unknown().optional(), orderbook_units: z.array(unit) })

/** Returns the milliseconds of a time that the venue writes as `YYYY-MM-DD hh:mm:ss`; NaN if it is none. */
const seoulTime = (text: string) => Date.parse(`${text.replace(' ', 'T')}+09:00`)

/**
 * Reads Bithumb's answer, which has a level of both sides in one object and names markets QUOTE-BASE, to a number of levels.
 * A book that cannot be read is null.
 */
export function readBithumbBooks(raw: unknown, levels: number): unknown[] {
  return z
    .array(z.unknown())
    .parse(raw)
    .map((one) => {
      const { success, data } = book.safeParse(one)
      if (!success) return null
      const units = data.orderbook_units.slice(0, levels)
      return {
        symbol: data.market.split('-').reverse().join('/'),
        timestamp: data.timestamp,
        bids: units.map(({ bid_price, bid_size }) => [bid_price, bid_size]),
        asks: units.map(({ ask_price, ask_size }) => [ask_price, ask_size]),
      }
    })
}

export const venue = {
  ccxt: 'bithumb',
  use: 'board',
  pools: { main: { units: 96, windowMs: 1_000 } },
  cost: { ...oneEach, flags: 2 },
  published: {
    page: 'https://apidocs.bithumb.com/docs/api-%EC%9A%94%EC%B2%AD-%EC%88%98-%EC%A0%9C%ED%95%9C-%EC%95%88%EB%82%B4',
    dated: '2026-10-27',
    pools: { main: { units: 150, windowMs: 1_000 } },
    of: 'group',
    endpoints: {
      markets: '/v1/market/all',
      quotes: '/v1/ticker',
      book: '/v1/orderbook',
      trades: '/v1/trades/ticks',
      candles: '/v1/candles/minutes/1',
      flags: `/v1/market/all, ${ALARMS}`,
    },
  },
  books: {
    // Of many markets the venue returns 15 levels each, of a single one 30: a depth must not depend on what else is asked.
    levels: 15,
    perCall: 80,
    // ccxt reads one book of Bithumb at a time.
    many: async (client, symbols, limit) => {
      const markets = symbols.map((symbol) => symbol.split('/').reverse().join('-')).join(',')
      return readBithumbBooks(await endpoint(client, 'publicGetV1Orderbook', { markets }), limit)
    },
    deeper: [{ levels: 30, cost: 1 }],
  },
  candles: { max: 200, fillsGaps: false },
  bestPrices: 'in_tickers',
  status: null,
  wallets: false,
  names: { list: 'markets', en: 'english_name', ko: 'korean_name' },
  flags: {
    source: '/v1/market/all?isDetails=true',
    others: [ALARMS],
    ask: async (client) => {
      const [markets, alarms] = await Promise.all([
        endpoint(client, 'publicGetV1MarketAll', { isDetails: 'true' }),
        endpoint(client, 'publicGetV1MarketVirtualAssetWarning', {}),
      ])
      return { markets, alarms }
    },
    read: (raw, { symbolOf, venueTime, rows }) => {
      const { markets, alarms } = z
        .object({ markets: z.unknown().optional(), alarms: z.unknown().optional() })
        .parse(raw)
      const warned = rows
        .list(markets, row)
        .flatMap(({ market, market_warning }) =>
          market_warning === undefined || market_warning === 'NONE'
            ? []
            : [flag(symbolOf(market), `market_warning.${market_warning}`, 'caution')],
        )
      const alarmed = rows.list(alarms, alarm).flatMap(({ market, warning_type, warning_step, end_date }) => {
        if (venueTime !== null && seoulTime(end_date) <= venueTime) return []
        const words = ['virtual_asset_warning', warning_type, warning_step ?? []].flat()
        return [{ ...flag(symbolOf(market), words.join('.'), 'caution'), source: ALARMS }]
      })
      return [...warned, ...alarmed]
    },
  },
  announcements: {
    source: '/v1/notices',
    documented: true,
    cost: 1,
    ask: (client) => endpoint(client, 'publicGetV1Notices', { count: 20 }),
    read: (raw, rows) =>
      announcementsOf(
        rows.list(raw, notice).map(({ title, pc_url, published_at }) => ({
          id: pc_url,
          title,
          url: pc_url,
          time: seoulTime(published_at),
        })),
      ),
    titles: [
      {
        pattern: /^(?<list>.+?) 거래지원 종료 안내(?: \((?<day>\d{1,2}\/\d{1,2})(?: \d{1,2}:\d{2})?\))?$/,
        meaning: 'delisting_announced',
      },
      { pattern: /^(?<list>.+?) 거래유의종목 지정 안내$/, meaning: 'warning' },
    ],
    utcOffsetHours: 9,
  },
} satisfies VenueFile
