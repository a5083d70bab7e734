import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MINUTE, type Candle, type Market } from './feed.ts'
import { minutePath } from './minute-path.ts'

const market: Market = {
  key: 7,
  venue: 'binance',
  base: 'AAA',
  quote: 'USDT',
  token: { id: 'a', ticker: 'AAA', name: 'A', koreanName: 'A', chain: null, address: null },
  priceDecimals: 4,
  amountDecimals: 2,
  listedAt: 0,
}
const minute = 29_000_000

const candles: fc.Arbitrary<Candle> = fc
  .record({
    trades: fc.integer({ min: 1, max: 400 }),
    prices: fc.tuple(...([0, 1, 2, 3] as const).map(() => fc.integer({ min: 1, max: 1_000_000 }))),
    volume: fc.double({ min: 0.01, max: 1e6, noNaN: true }),
    buys: fc.double({ min: 0, max: 1, noNaN: true }),
    burst: fc.option(fc.tuple(fc.nat(300), fc.integer({ min: 8, max: 40 }))),
  })
  .map(({ trades, prices, volume, buys, burst }) => {
    const [low = 1, open = 1, close = 1, high = 1] = prices.toSorted((a, b) => a - b).map((tick) => tick / 10_000)
    const from = burst === null ? 0 : burst[0] % trades
    return {
      open: trades === 1 ? close : open,
      high: trades < 3 ? close : high,
      low: trades < 3 ? open : low,
      close,
      volume,
      quoteVolume: volume * close,
      trades: burst === null ? trades : trades + burst[1],
      takerBuyQuote: volume * close * buys,
      burst: burst === null ? null : { from, count: burst[1] },
    }
  })

it('divides a minute into fills that keep its open, close, range, volume and time order', () => {
  fc.assert(
    fc.property(candles, fc.integer({ min: 0, max: MINUTE }), (candle, ms) => {
      const path = minutePath(candle, minute, market)
      const fills = Array.from({ length: path.count }, (_, index) => path.trade(index))
      expect(path.count).toBe(candle.trades)
      expect(fills[0]?.price).toBe(candle.open)
      expect(fills.at(-1)?.price).toBe(candle.close)
      const volume = fills.reduce((sum, fill) => sum + fill.amount, 0)
      expect(Math.abs(volume / candle.volume - 1)).toBeLessThan(1e-9)
      for (const [index, fill] of fills.entries()) {
        expect(fill.amount).toBeGreaterThan(0)
        expect(fill.price).toBeGreaterThanOrEqual(candle.low)
        expect(fill.price).toBeLessThanOrEqual(candle.high)
        expect(fill.at).toBeGreaterThanOrEqual(fills[index - 1]?.at ?? minute * MINUTE)
        expect(fill.at).toBeLessThan((minute + 1) * MINUTE)
        expect(fill.id).toBeGreaterThan(fills[index - 1]?.id ?? 0)
      }
      expect(path.countAt(ms)).toBe(
        ms === MINUTE ? path.count : fills.filter((fill) => fill.at <= minute * MINUTE + ms).length,
      )
    }),
  )
})

it('keeps the share of taker buys; a burst has one side and lasts half a second', () => {
  const calm = {
    open: 1,
    high: 1.1,
    low: 0.9,
    close: 1,
    volume: 900,
    quoteVolume: 900,
    trades: 300,
    takerBuyQuote: 270,
  }
  const path = minutePath({ ...calm, burst: null }, minute, market)
  const buys = Array.from({ length: 300 }, (_, index) => path.trade(index).side).filter((side) => side === 'buy')
  expect(buys.length).toBeGreaterThan(80)
  expect(buys.length).toBeLessThan(100)
  const burst = minutePath({ ...calm, burst: { from: 100, count: 30 } }, minute, market)
  const fills = Array.from({ length: 30 }, (_, index) => burst.trade(100 + index))
  expect(new Set(fills.map(({ side }) => side)).size).toBe(1)
  expect((fills.at(-1)?.at ?? 0) - (fills[0]?.at ?? 0)).toBeLessThan(500)
})
