import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCrossed, measureBook, SPREAD_BPS_MAX } from './book.ts'
import { candleWindow } from './candle-window.ts'
import { usdRatesOf } from './usd-rates.ts'
import type { Book, Quote, Side } from '#venues/rules/venue.ts'

const book = (bids: Side, asks: Side, limit = 100): Book => ({
  synthetic: false,
  symbol: 'A/USDT',
  bids,
  asks,
  at: null,
  venueTime: null,
  receivedAt: 0,
  latencyMs: 0,
  limit,
})
const quote = (symbol: string, last: number): Quote => ({
  symbol,
  bid: null,
  ask: null,
  last,
  quoteVolume24h: null,
  change24hPct: null,
  at: null,
})

describe('book', () => {
  it('has as depth twice the weaker side within 2 % of the mid', () => {
    const measured = measureBook(
      book(
        [
          [99, 1],
          [98.01, 2],
          [97, 100],
        ],
        [
          [101, 3],
          [102, 1],
          [103, 100],
        ],
      ),
    )
    const depthQuote = 2 * (99 + 2 * 98.01)
    expect(measured).toMatchObject({ spreadBps: 200, depthQuote, truncated: false, levels: 2 })
    expect(measured.bands?.[2]).toEqual({ bid: 99, ask: 303, isLowerBound: false })
  })

  it('has a lower bound as depth if all requested levels lie within the band', () => {
    const measured = measureBook(book([[99.9, 1]], [[100.1, 1]], 1))
    expect(measured.truncated).toBe(true)
  })

  it('has depth 0 if the spread is wider than the band', () => {
    expect(measureBook(book([[95, 10]], [[105, 10]])).depthQuote).toBe(0)
  })

  it('with one side has the largest spread and depth 0, and a crossed book is detected', () => {
    expect(measureBook(book([[99, 1]], []))).toEqual({
      spreadBps: SPREAD_BPS_MAX,
      bands: null,
      depthQuote: 0,
      truncated: false,
      levels: 0,
    })
    expect([isCrossed(book([[101, 1]], [[100, 1]])), isCrossed(book([[99, 1]], [[100, 1]]))]).toEqual([true, false])
  })

  it('has a spread between 0 and the largest for any prices', () => {
    const price = fc.double({ min: 1e-12, max: 1e12, noNaN: true })
    fc.assert(
      fc.property(price, price, (a, b) => {
        const { spreadBps } = measureBook(book([[Math.min(a, b), 1]], [[Math.max(a, b), 1]]))
        expect(spreadBps).toBeGreaterThanOrEqual(0)
        expect(spreadBps).toBeLessThanOrEqual(SPREAD_BPS_MAX)
      }),
    )
  })
})

describe('dollar rates', () => {
  it('follow from the venue’s pairs directly, inverted, and through bitcoin', () => {
    const rates = usdRatesOf([quote('BTC/USDT', 50_000), quote('USDT/TRY', 40), quote('BTC/EUR', 45_000)], null)
    expect([rates.get('USDT'), rates.get('BTC'), rates.get('TRY')]).toEqual([1, 50_000, 1 / 40])
    expect(rates.get('EUR')).toBeCloseTo(50_000 / 45_000)
  })

  it('use the bitcoin price of another venue if the venue has none, and are otherwise unknown', () => {
    expect(usdRatesOf([quote('BTC/KRW', 70_000_000)], 50_000).get('KRW')).toBeCloseTo(1 / 1_400)
    expect(usdRatesOf([quote('BTC/KRW', 70_000_000)], null).get('KRW')).toBeUndefined()
  })

  it.each([0.65, 2, 100])('do not follow one dollar coin to %d: only the price of that coin does', (off) => {
    const won = 1_400
    const korean = [quote('USDT/KRW', won), quote('USDC/KRW', won * off), quote('BTC/KRW', 50_000 * won)]
    const rates = usdRatesOf(korean, 50_000)
    expect(rates.get('KRW')).toBeCloseTo(1 / won, 9)
    expect(won * off * (rates.get('KRW') ?? 0)).toBeCloseTo(off)
    const two = [quote('USDT/KRW', won * off), quote('BTC/KRW', 50_000 * won)]
    expect(usdRatesOf(two, 50_000).get('KRW')).toBeCloseTo(1 / won, 9)
    const dollars = [quote('BTC/USDT', 50_000 / off), quote('BTC/USDC', 50_000), quote('BTC/FDUSD', 50_010)]
    expect(usdRatesOf(dollars, null).get('BTC')).toBe(50_000)
    expect(usdRatesOf(dollars.slice(0, 2), 50_001).get('BTC')).toBeCloseTo(50_000, -1)
  })

  it('keep the usual pair while all agree', () => {
    const pairs = [quote('BTC/USDC', 50_100), quote('BTC/USDT', 50_000), quote('USDC/TRY', 41), quote('USDT/TRY', 40)]
    const rates = usdRatesOf(pairs, 50_200)
    expect([rates.get('BTC'), rates.get('TRY')]).toEqual([50_000, 1 / 40])
  })
})

describe('window of candles', () => {
  const MINUTE = 60_000
  const end = 2_000 * MINUTE
  const candle = (minute: number, volume: number) => ({ at: minute * MINUTE, close: 10, volume })

  it('has minutes without a trade where a venue leaves minutes out', () => {
    const window = candleWindow([candle(1_990, 5)], { end, limit: 200, fillsGaps: false, usd: 2 })
    expect(window.length).toBe(1_440)
    expect(window.filter((minute) => minute.trades > 0)).toEqual([{ close: 10, quoteVolumeUsd: 100, trades: 1 }])
    expect(window.at(-1)).toEqual({ close: 10, quoteVolumeUsd: 0, trades: 0 })
  })

  it('covers only the returned minutes if the venue returned its maximum, and never the current minute', () => {
    const candles = Array.from({ length: 100 }, (_, n) => candle(1_901 + n, 1))
    const window = candleWindow(candles, { end, limit: 100, fillsGaps: false, usd: 1 })
    expect(window.length).toBe(99)
    expect(candleWindow(candles.slice(50), { end, limit: 100, fillsGaps: true, usd: 1 }).length).toBe(49)
  })

  it('is a day without a trade if there is no candle', () => {
    const window = candleWindow([], { end, limit: 100, fillsGaps: true, usd: 1 })
    expect(window.every((minute) => minute.trades === 0)).toBe(true)
    expect(window.length).toBe(1_440)
  })
})
