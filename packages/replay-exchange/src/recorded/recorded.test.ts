import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { openFeed } from '../datasets.ts'
import { MINUTE, type Feed } from '../feed.ts'

const recordings = process.env['MARKET_REPLAY_DIR']
const folder = mkdtempSync(join(tmpdir(), 'svc-recordings-'))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), zstdCompressSync(text))
}
const marketOf = (feed: Feed, at: number, symbol: string) => {
  const listing = feed.listings('binance', at).find(({ market }) => `${market.base}/${market.quote}` === symbol)
  if (!listing) throw new Error(`no ${symbol}`)
  return listing.market
}

describe('a packed recording', () => {
  const row = {
    s: 'FTTUSDT',
    t0: 1_667_946_780_000,
    n: 3,
    pd: 2,
    c0: 510,
    dc: [-10, 25],
    o: [5, 0, -2],
    h: [1, 0, 3],
    l: [0, 2, 0],
    v: [100, 0.5, 1e-7],
    q: [510.5, 2.5, 5e-7],
    tr: [9, 1, 1],
    tq: [200, 0, 5e-7],
  }

  it('returns each minute as its format defines it', async () => {
    write('binance-1m-20221109/klines_usdt.jsonl.zst', `${JSON.stringify(row)}\n`)
    const feed = await openFeed({ dataset: 'ftx-usdt', replayDir: folder })
    const first = row.t0 / MINUTE
    const market = marketOf(feed, row.t0, 'FTT/USDT')
    expect(feed.candle(market, first - 1)).toBeNull()
    expect(feed.candle(market, first)).toMatchObject({ open: 5.15, high: 5.16, low: 5.1, close: 5.1, trades: 9 })
    expect(feed.candle(market, first + 1)).toMatchObject({ open: 5.1, high: 5.1, low: 4.98, close: 5, volume: 0.5 })
    expect(feed.candle(market, first + 2)).toMatchObject({ open: 4.98, high: 5.28, low: 4.98, close: 5.25 })
    expect(feed.candle(market, first + 2)?.volume).toBeCloseTo(1e-7, 12)
    expect(feed.candle(market, first + 3)).toMatchObject({ open: 5.25, close: 5.25, trades: 0 })
    expect([feed.startsAt, feed.endsAt]).toEqual([row.t0 + MINUTE, row.t0 + 3 * MINUTE])
  })

  it.each([
    ['a short column', { ...row, v: [1] }],
    ['a missing column', { ...row, tr: undefined }],
    ['an unknown quote currency', { ...row, s: 'FTTXXX' }],
  ])('with %s is refused with a sentence that names the file', async (_name, bad) => {
    write('binance-1m-20221109/klines_usdt.jsonl.zst', JSON.stringify(bad))
    await expect(openFeed({ dataset: 'ftx-usdt', replayDir: folder })).rejects.toThrow(/klines_usdt\.jsonl\.zst/)
  })

  it('that is missing is rejected with the setting to use; so is a missing folder', async () => {
    await expect(openFeed({ dataset: 'luna', replayDir: folder })).rejects.toThrow(/LUNAUSDT-30m\.csv\.zst is not in/)
    await expect(openFeed({ dataset: 'ftx' })).rejects.toThrow(/MARKET_REPLAY_DIR/)
  })
})

describe.skipIf(recordings === undefined)('the recordings', () => {
  const open = (dataset: 'ftx-usdt' | 'luna' | 'depeg' | 'lists') => openFeed({ dataset, replayDir: recordings ?? '' })

  it('of the FTX day have 342 USDT pairs whose books keep their shape all day', async () => {
    const feed = await open('ftx-usdt')
    const [startsAt, endsAt] = [feed.startsAt ?? 0, feed.endsAt ?? 0]
    const listings = feed.listings('binance', startsAt)
    expect(listings).toHaveLength(342)
    expect(new Date(endsAt).toISOString()).toBe('2022-11-09T15:11:00.000Z')
    for (const { market } of listings.filter(({ status }) => status === 'trading')) {
      expect(feed.candle(market, startsAt / MINUTE)).not.toBeNull()
      expect(feed.candle(market, endsAt / MINUTE - 1)).not.toBeNull()
      expect(feed.liquidity(market, startsAt)).toEqual(feed.liquidity(market, endsAt))
    }
    const ftt = marketOf(feed, startsAt, 'FTT/USDT')
    const closes = ['2022-11-09T01:32Z', '2022-11-09T02:32Z'].map(
      (time) => feed.candle(ftt, Date.parse(time) / MINUTE)?.close ?? 0,
    )
    expect((closes[1] ?? 0) / (closes[0] ?? 1)).toBeLessThan(0.88)
  })

  it('of LUNA end one token, list nothing new for 18 days, and then list another token with the same symbol', async () => {
    const feed = await open('luna')
    const statuses = ['2022-05-12T20:00Z', '2022-05-20T00:00Z', '2022-06-01T00:00Z'].map((time) =>
      feed.listings('binance', Date.parse(time)).map(({ market, status }) => [market.token.id, status]),
    )
    expect(statuses).toEqual([[['terra-luna', 'trading']], [['terra-luna', 'ended']], [['terra-luna-2', 'trading']]])
    expect(feed.events(0, 4e12, 10).map(({ kind }) => kind)).toEqual(['ended', 'listed'])
  })

  it('of the depeg have the gap between two venues at its widest minute', async () => {
    const feed = await open('depeg')
    const minute = Date.parse('2023-03-11T06:48Z') / MINUTE
    const closes = feed.venues.map((venue) => {
      const listing = feed.listings(venue, minute * MINUTE).find(({ market }) => market.quote === 'USDC')
      return listing ? (feed.candle(listing.market, minute)?.close ?? 0) : 0
    })
    const gapBps = Math.abs((closes[0] ?? 0) / (closes[1] ?? 1) - 1) * 10_000
    expect(gapBps).toBeGreaterThan(700)
    expect(gapBps).toBeLessThan(1_100)
  })

  it('of market lists change from one list of Binance to the next by the announced delistings', async () => {
    const feed = await open('lists')
    const count = (venue: string, time: string, status: string) =>
      feed.listings(venue, Date.parse(time)).filter((one) => one.status === status).length
    expect(feed.venues.map((venue) => feed.listings(venue, feed.startsAt ?? 0).length)).toEqual([1695, 1458, 634, 294])
    const standing = (symbol: string, time: string) => {
      const at = Date.parse(time)
      const listing = feed.listings('binance', at).find(({ market }) => `${market.base}/${market.quote}` === symbol)
      return [listing?.status, listing?.warning]
    }
    expect(standing('BTG/USDT', '2022-10-12T00:00Z')).toEqual(['trading', 'none'])
    expect(standing('BTG/USDT', '2022-10-20T00:00Z')).toEqual(['trading', 'delisting'])
    expect(standing('BTG/USDT', '2022-10-25T00:00Z')).toEqual(['ended', 'delisting'])
    // 275 pairs that traded in 2021 are BREAK in 2023 and 13 are gone.
    const before = feed.listings('binance', feed.startsAt ?? 0).filter(({ status }) => status !== 'ended')
    const after = new Map(feed.listings('binance', feed.endsAt ?? 0).map(({ market, status }) => [market.key, status]))
    expect(before.filter(({ market }) => after.get(market.key) === 'ended')).toHaveLength(275 + 13)
    expect(count('gate', '2021-10-13T00:00Z', 'ended')).toBe(50)
    expect(feed.tokens(0).find(({ ticker }) => ticker === 'BTC')?.koreanName).toBe('비트코인')
  })
})
