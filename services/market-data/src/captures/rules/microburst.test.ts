import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findMicrobursts, mergeFills, poissonTail, type BookSample, type Capture, type Fill } from './microburst.ts'

const captureMs = 60_000
const bookOf = (timeMs: number, mid: number, bidDepthUsd: number): BookSample => ({
  timeMs,
  mid,
  bidDepthUsd,
  askDepthUsd: 9000,
})
const fill = (timeMs: number, side: Fill['side'] = 'sell', notionalUsd = 1000, price = 100): Fill => ({
  timeMs,
  side,
  price,
  notionalUsd,
})
const capture = (fills: readonly Fill[], books: readonly BookSample[] = []): Capture => ({
  startMs: 0,
  endMs: captureMs,
  fills,
  books,
})
/** One order every six seconds: the rate of a quiet market. */
const background = Array.from({ length: 10 }, (_, index) => fill(index * 6000 + 500, index % 2 ? 'buy' : 'sell'))
const rush = (count: number, fromMs: number, everyMs: number, notionalUsd = 1000) =>
  Array.from({ length: count }, (_, index) => fill(fromMs + index * everyMs, 'sell', notionalUsd, 100 - index / 100))

describe('merging fills into orders', () => {
  test('keeps fills, notional and price range, and returns one order per exchange time and side, in time order', () => {
    const fills = fc.array(
      fc.record({
        timeMs: fc.integer({ min: 0, max: 9 }),
        side: fc.constantFrom('buy' as const, 'sell' as const),
        price: fc.integer({ min: 1, max: 5 }),
        notionalUsd: fc.integer({ min: 1, max: 100 }),
      }),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(fills, (all) => {
        const orders = mergeFills(all)
        const sum = (of: readonly number[]) => of.reduce((a, b) => a + b, 0)
        expect(sum(orders.map((order) => order.fills))).toBe(all.length)
        expect(sum(orders.map(({ notionalUsd }) => notionalUsd))).toBe(sum(all.map(({ notionalUsd }) => notionalUsd)))
        expect(new Set(orders.map(({ timeMs, side }) => `${timeMs} ${side}`)).size).toBe(orders.length)
        expect(Math.max(...orders.map(({ highPrice }) => highPrice))).toBe(Math.max(...all.map(({ price }) => price)))
        for (const [index, { timeMs }] of orders.entries())
          expect(timeMs).toBeGreaterThanOrEqual(orders[index - 1]?.timeMs ?? 0)
      }),
    )
  })
})

describe('the Poisson tail', () => {
  test('is the complement of the sum below, and stays exact if that sum rounds to one', () => {
    for (const mean of [0.1, 1, 4, 20]) {
      for (let k = 0; k < 30; k += 1) {
        let [below, term] = [0, Math.exp(-mean)]
        for (let n = 0; n < k; n += 1) {
          below += term
          term *= mean / (n + 1)
        }
        expect(poissonTail(mean, k)).toBeCloseTo(1 - below, 9)
      }
    }
    // e^-1 · Σ 1/n! from 20 on, to four digits.
    expect(poissonTail(1, 20) / 1.58752e-19).toBeCloseTo(1, 3)
  })
})

describe('microbursts', () => {
  test('a rush in a quiet market is one burst with its orders, notional, range and end', () => {
    const [burst, ...others] = findMicrobursts(capture([...background, ...rush(12, 30_000, 40)]))
    expect(others).toEqual([])
    expect(burst).toMatchObject({ startMs: 30_000, durationMs: 500, orders: 13, fills: 13, notionalUsd: 13_000 })
    expect(burst?.signedNotionalUsd).toBe(-11_000)
    expect(burst?.rangeBps).toBeCloseTo((100 / 99.89 - 1) * 10_000, 6)
    expect(burst?.poissonTail).toBeLessThan(1e-6)
  })

  test('one sweep through many levels is one order, not a burst', () => {
    const sweep = Array.from({ length: 46 }, (_, index) => fill(30_000, 'buy', 500, 100 + index))
    expect(findMicrobursts(capture([...background, ...sweep]))).toEqual([])
  })

  test('too few orders, too low a rate ratio or too little notional is not a burst', () => {
    expect(findMicrobursts(capture([...background, ...rush(7, 32_000, 40)]))).toEqual([])
    expect(findMicrobursts(capture([...background, ...rush(12, 32_000, 40, 20)]))).toEqual([])
    const busy = Array.from({ length: 300 }, (_, index) => fill(index * 200, index % 2 ? 'buy' : 'sell'))
    expect(findMicrobursts(capture([...busy, ...rush(12, 31_001, 40)]))).toEqual([])
    const deep = [bookOf(31_500, 100, 1_000_000)]
    expect(findMicrobursts(capture([...background, ...rush(12, 32_000, 40)], deep))).toEqual([])
  })

  test('the end is the last order before two seconds of calm, and two rushes far apart are two bursts', () => {
    const long = [...rush(12, 10_000, 40), ...rush(12, 12_000, 40), ...rush(12, 40_000, 40)]
    const bursts = findMicrobursts(capture(long))
    expect(bursts.map(({ startMs, durationMs }) => [startMs, durationMs])).toEqual([
      [10_000, 2440],
      [40_000, 440],
    ])
  })

  test('impact, replenishment and reversion follow from the books, and are null without a book', () => {
    const books = [
      bookOf(1000, 100, 10_000),
      bookOf(28_000, 100, 10_000),
      bookOf(30_600, 99, 2000),
      bookOf(31_000, 99, 4000),
      bookOf(32_500, 99.2, 6000),
      bookOf(40_000, 99.5, 9000),
    ]
    const [burst] = findMicrobursts(capture([...background, ...rush(12, 30_000, 40)], books))
    expect(burst?.impactBps).toBeCloseTo(-100, 9)
    expect(burst?.replenishmentHalfLifeMs).toBe(2000)
    expect(burst?.reversion10s).toBeCloseTo(0.5, 9)
    expect(burst?.reversion60s).toBe(null)
    const [blind] = findMicrobursts(capture(rush(12, 30_000, 40)))
    expect(blind).toMatchObject({ impactBps: null, replenishmentHalfLifeMs: null, reversion10s: null })
  })

  test('a capture without orders or without length has no burst', () => {
    expect(findMicrobursts(capture([]))).toEqual([])
    expect(findMicrobursts({ ...capture(rush(12, 0, 1)), endMs: 0 })).toEqual([])
  })
})
