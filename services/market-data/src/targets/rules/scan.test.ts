import { describe, expect, test } from 'vitest'
import { failedScan, measureScan, SCAN_FLAGS, scanWords } from './scan.ts'
import type { DeeperBooks } from '#markets/rules/deeper-books.ts'
import type { Book, Candle } from '#venues/rules/venue.ts'

const minute = '2026-11-21T09:30:00.000Z'
const at = Date.parse(minute)
const book = (more: Partial<Book>): Book => ({
  symbol: 'XYZ/USDT',
  synthetic: false,
  bids: [
    [99.9, 10],
    [99, 100],
    [90, 1_000],
  ],
  asks: [
    [100.1, 10],
    [101, 100],
    [110, 1_000],
  ],
  at: at + 1_000,
  venueTime: at + 1_500,
  receivedAt: at + 2_000,
  latencyMs: 40,
  limit: 100,
  ...more,
})
const scan = (more: Partial<Book>, candles: readonly Candle[] | null = null, usd: number | null = 1) =>
  measureScan({ instanceId: 7, minute, book: book(more), candles, usd, deeper: null, now: at })

describe('a scan', () => {
  test('measures depth in four bands per side, the spread, the imbalance and ages', () => {
    const row = scan({})
    expect(row.spread_bps).toBeCloseTo(20)
    expect(row.depth_bid_01_usd).toBeCloseTo(999)
    expect(row.depth_bid_05_usd).toBeCloseTo(999)
    expect(row.depth_bid_1_usd).toBeCloseTo(999 + 9_900)
    expect(row.depth_ask_2_usd).toBeCloseTo(1_001 + 10_100)
    expect(row.imbalance).toBeCloseTo(10_899 / 22_000 - 0.5)
    expect(row).toMatchObject({ book_age_ms: 500, latency_ms: 40, skew_ms: -500, flags: 0, error: null })
  })

  test('measures the cost of a market order against the mid; null if the book does not fill it', () => {
    const row = scan({})
    // $1,000: bought for 999 at 100.1 would not do; the rest is taken one level up.
    expect(row.cost_buy_1k_bps).toBeCloseTo(10, 0)
    expect(row.cost_sell_1k_bps).toBeGreaterThan(10)
    expect(row.cost_buy_10k_bps).toBeGreaterThan(row.cost_buy_1k_bps ?? 0)
    expect(scan({ asks: [[100.1, 1]] }).cost_buy_1k_bps).toBeNull()
  })

  test('flags unusable books, and measures nothing of a crossed book', () => {
    expect(scan({ bids: [[100.2, 1]] })).toMatchObject({ flags: SCAN_FLAGS.crossed, spread_bps: null, bid: 100.2 })
    expect(scan({ asks: [] })).toMatchObject({ flags: SCAN_FLAGS.oneSided, ask: null, depth_bid_2_usd: null })
    expect(scan({ at: at - 120_000 }).flags).toBe(SCAN_FLAGS.stale)
    expect(scan({ limit: 3 }).flags).toBe(0)
    const short = book({}).bids.slice(0, 2)
    // The last level lies on the edge of 1 %: more may rest there.
    expect(scan({ limit: 2, bids: short }).flags).toBe(SCAN_FLAGS.truncated | SCAN_FLAGS.cut1)
    const nearer = [99.95, 99.8].map((price) => [price, 1] as const)
    expect(scan({ limit: 2, bids: nearer }).flags).toBe(SCAN_FLAGS.truncated | SCAN_FLAGS.cut1 | SCAN_FLAGS.cut05)
  })

  const band = (bid: number, ask: number, isLowerBound = false) => ({ bid, ask, isLowerBound })
  const deeperBooks = (ageMs: number, isCut = false): DeeperBooks => ({
    levels: 500,
    askedAt: at,
    newest: { at: at - ageMs, bands: [band(1, 2), band(10, 20), band(200, 300), band(4_000, 2_000, isCut)] },
  })
  const within = (deeper: DeeperBooks | null, more: Partial<Book> = { limit: 2, bids: book({}).bids.slice(0, 2) }) =>
    measureScan({ instanceId: 7, minute, book: book(more), candles: null, usd: 2, deeper, now: at })

  test('takes a band in which its book ended from a deeper book of its minute, and every other from its own book', () => {
    const row = within(deeperBooks(59_000))
    expect(row).toMatchObject({ flags: SCAN_FLAGS.deeper, depth_bid_2_usd: 8_000, depth_ask_2_usd: 4_000 })
    expect(row.depth_bid_05_usd).toBeCloseTo(2 * 999)
    expect(row.imbalance).toBeCloseTo(2 / 3 - 0.5)
    expect(within(deeperBooks(0, true)).flags).toBe(SCAN_FLAGS.deeper | SCAN_FLAGS.truncated)
    expect(within(deeperBooks(0), {})).toMatchObject({ flags: 0, depth_bid_2_usd: within(null, {}).depth_bid_2_usd })
    expect(scanWords(SCAN_FLAGS.deeper, null)).toEqual([])
  })

  test('has no depth between two deeper books, and a lower bound only where none is read: no series mixes the two', () => {
    const between = within(deeperBooks(240_000))
    expect(between).toMatchObject({ flags: 0, depth_bid_2_usd: null, depth_ask_2_usd: null, imbalance: null })
    expect(between.depth_bid_05_usd).toBeCloseTo(2 * 999)
    for (const deeper of [null, deeperBooks(600_000)]) {
      const bound = within(deeper)
      expect(bound.flags).toBe(SCAN_FLAGS.truncated | SCAN_FLAGS.cut1)
      expect(bound.depth_bid_2_usd).toBeCloseTo(2 * (999 + 9_900))
    }
  })

  test('without a rate of the quote currency has null dollar figures but a spread', () => {
    const row = scan({}, null, null)
    expect(row).toMatchObject({ depth_bid_2_usd: null, cost_buy_1k_bps: null })
    expect(row.spread_bps).toBeCloseTo(20)
  })

  test('has the volume of the whole minute before; a minute left out between others has volume 0', () => {
    const candle = (ago: number, volume: number): Candle => ({ at: at - ago * 60_000, close: 100, volume })
    expect(scan({}, [candle(2, 1), candle(1, 3), candle(0, 9)])).toMatchObject({ volume_usd: 300, trades: null })
    expect(scan({}, [candle(2, 1), candle(0, 9)])).toMatchObject({ volume_usd: 0, trades: 0 })
    expect(scan({}, [candle(2, 1), candle(1, 0)])).toMatchObject({ volume_usd: 0, trades: 0 })
    expect(scan({}, [candle(0, 9)])).toMatchObject({ volume_usd: null, trades: null })
    expect(scan({}, [])).toMatchObject({ volume_usd: null, last: null })
  })

  test('that failed has the class of its failure and no figures', () => {
    const { instance_id, minute: of, error, flags, ...rest } = failedScan(7, minute, 'timeout')
    expect({ instance_id, of, error, flags }).toEqual({ instance_id: 7, of: minute, error: 'timeout', flags: 0 })
    expect(Object.values(rest).every((value) => value === null)).toBe(true)
    expect(scanWords(SCAN_FLAGS.crossed | SCAN_FLAGS.stale, 'timeout')).toEqual(['timeout', 'crossed', 'stale'])
  })
})
