import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LEVELS_MAX, makeBook } from './book.ts'
import type { Market } from './feed.ts'

const marketOf = (priceDecimals: number): Market => ({
  key: 3,
  venue: 'gate',
  base: 'AAA',
  quote: 'USDT',
  token: { id: 'a', ticker: 'AAA', name: 'A', koreanName: 'A', chain: null, address: null },
  priceDecimals,
  amountDecimals: 8,
  listedAt: 0,
})
const input = fc.record({
  mid: fc.double({ min: 0.01, max: 100_000, noNaN: true }),
  spreadBps: fc.double({ min: 0.2, max: 420, noNaN: true }),
  depthQuote: fc.double({ min: 100, max: 1e8, noNaN: true }),
  levels: fc.double({ min: 2, max: 3_000, noNaN: true }),
  limit: fc.integer({ min: 1, max: 1_000 }),
})

it('is strictly sorted, on the tick, and crossed only if requested', () => {
  fc.assert(
    fc.property(input, fc.boolean(), fc.integer({ min: 4, max: 8 }), (given, crossed, decimals) => {
      const { bids, asks } = makeBook(marketOf(decimals), { ...given, at: 1_000, crossed })
      for (const [side, sign] of [
        [bids, -1],
        [asks, 1],
      ] as const) {
        expect(side.length).toBeGreaterThan(0)
        expect(side.length).toBeLessThanOrEqual(Math.min(given.limit, LEVELS_MAX))
        for (const [index, [price, amount]] of side.entries()) {
          expect(amount).toBeGreaterThan(0)
          expect(Math.abs(price - Number(price.toFixed(decimals)))).toBeLessThan(1e-9 * price)
          if (index > 0) expect((price - (side[index - 1]?.[0] ?? 0)) * sign).toBeGreaterThan(0)
        }
      }
      expect((bids[0]?.[0] ?? 0) >= (asks[0]?.[0] ?? 0)).toBe(crossed)
    }),
  )
})

it('has about the requested notional within 2 % of the mid, and none if the spread is wider', () => {
  const within = (spreadBps: number) => {
    const { bids, asks } = makeBook(marketOf(6), {
      mid: 10,
      spreadBps,
      depthQuote: 50_000,
      levels: 20,
      at: 0,
      limit: 1_000,
      crossed: false,
    })
    return [...bids, ...asks]
      .filter(([price]) => Math.abs(price / 10 - 1) <= 0.02)
      .reduce((sum, [price, amount]) => sum + price * amount, 0)
  }
  for (const spread of [2, 12, 60, 140]) {
    expect(within(spread) / 100_000).toBeGreaterThan(0.5)
    expect(within(spread) / 100_000).toBeLessThan(1.4)
  }
  expect(within(410)).toBe(0)
})
