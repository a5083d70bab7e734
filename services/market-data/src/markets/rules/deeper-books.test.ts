import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measureBook, type BandDepth } from './book.ts'
import { afterBook, deeperDue, newDepth, sizeFor, type DeeperBooks } from './deeper-books.ts'
import type { Side } from '#venues/rules/venue.ts'

/** A book whose sides have `count` levels within 2 % of 100 that lie like those of recorded books, cut after `limit`. */
function bookOf(count: number, limit: number) {
  const side = (sign: number): Side =>
    Array.from({ length: Math.min(limit, count * 2) }, (_, place) => {
      const distance = 0.000_1 + 0.019_9 * (place / count) ** (4 / 3)
      return [100 * (1 + sign * distance), 1] as const
    })
  return measureBook({
    symbol: 'A/USDT',
    bids: side(-1),
    asks: side(1),
    at: null,
    venueTime: null,
    receivedAt: 0,
    latencyMs: 0,
    synthetic: false,
    // Also of a deeper book: a venue may return fewer levels than requested.
    limit: 100,
  })
}
const SIZES = [500, 1_000, 5_000]

describe('deeper books', () => {
  it('are wanted after a cut book, in a size that holds the band, until the usual book is enough again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 3_500 }), (count) => {
        const usual = bookOf(count, 100)
        const first = afterBook(null, usual, 100)
        expect(first === null).toBe(!usual.truncated)
        if (first === null) return
        const size = sizeFor(SIZES, first.levels) ?? 0
        expect(size).toBeGreaterThan(Math.min(count, 4_999))
        // The estimate does not pay for a size that is far too large.
        expect(first.levels).toBeLessThan(count * 2 + 50)
        const deeper = bookOf(count, size)
        expect(deeper.truncated).toBe(false)
        // The cut may lie just behind the last level of the band.
        expect(deeper.depthQuote).toBeGreaterThanOrEqual(usual.depthQuote)
        expect(afterBook(first, deeper, 100) !== null).toBe(deeper.levels > 80)
        expect(afterBook(first, { truncated: false, levels: 60 }, 100)).toBeNull()
      }),
    )
  })

  it('grow after a deeper book that was cut too, up to the largest size', () => {
    const cut = bookOf(4_000, 500)
    expect(cut.truncated).toBe(true)
    const after = afterBook({ levels: 120, askedAt: 0, newest: null }, cut, 100)
    expect(sizeFor(SIZES, after?.levels ?? 0)).toBe(5_000)
    expect(sizeFor(SIZES, 9_999)).toBe(5_000)
    expect(sizeFor([], 9_999)).toBeNull()
  })

  it('are due in turn, targets first, at most as many as one pass may read, and stay fresh for ten minutes', () => {
    const [whole, cut] = [true, false].map((isWhole) => ({ bid: 1, ask: 1, isLowerBound: !isWhole })) as [
      BandDepth,
      BandDepth,
    ]
    const one = (askedAt: number): DeeperBooks => ({
      levels: 200,
      askedAt,
      newest: { at: askedAt, bands: [whole, whole, whole, whole] },
    })
    const pairs = new Map([
      [1, one(900_000)],
      [2, one(100_000)],
      [3, one(50_000)],
      [4, one(0)],
    ])
    const due = (max: number, target: number | null = null) =>
      deeperDue(pairs, (id) => id === target, { now: 1_000_000, everyMs: 300_000, max }).map(([id]) => id)
    expect([due(2), due(9), due(9, 2), due(1, 1)]).toEqual([[4, 3], [4, 3, 2], [2, 4, 3], [4]])
    expect([newDepth(cut, one(0), 599_999), newDepth(cut, one(0), 600_000)]).toEqual([null, cut])
    expect([newDepth(whole, one(0), 1), newDepth(cut, null, 1)]).toEqual([whole, cut])
    expect(newDepth(cut, { levels: 1, askedAt: 5, newest: null }, 6)).toBe(cut)
  })
})
