import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resultsBySize } from './arbitrage-sizes.ts'
import { matchBooks } from './arbitrage.ts'
import type { VenueBook } from './lot-ladder.ts'

const book = (exchange: string, more: Partial<VenueBook>): VenueBook => ({
  exchange,
  atMs: 0,
  levelsAsked: 100,
  bids: [[50, 1000]],
  asks: [[200, 1000]],
  takerFee: 0,
  amountStep: 0.01,
  costMin: null,
  ...more,
})

test('the result of a size includes lots that lose, and is null beyond the books', () => {
  const books = [
    book('a', {
      asks: [
        [100, 10],
        [101, 90],
      ],
    }),
    book('b', {
      bids: [
        [102, 10],
        [100, 20],
      ],
    }),
  ]
  const { opportunity } = matchBooks(books, 0, 1)
  expect(opportunity?.qty).toBe('10')
  const results = resultsBySize(opportunity ?? { legs: [] }, books, 1, [1000, 2010, 9000])
  // 10 for 1,000 bring 1,020; 20 for 2,010 bring 2,020; 89 for 8,979 find no buyers.
  expect(results.map(({ net_bps }) => (net_bps === null ? null : Number(net_bps.toFixed(6))))).toEqual([
    200,
    Number(((10 / 2010) * 10_000).toFixed(6)),
    null,
  ])
  // At two dollars for a unit of quote a size buys half as much.
  expect(resultsBySize(opportunity ?? { legs: [] }, books, 2, [2000])[0]?.net_bps).toBeCloseTo(200, 6)
})

test('net results fall with size and never exceed the result of the best lot', () => {
  const side = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 40 })), {
    minLength: 1,
    maxLength: 5,
  })
  fc.assert(
    fc.property(side, side, (up, down) => {
      let [ask, bid] = [100, 110]
      const asks = up.map(([step, amount]): [number, number] => [(ask += step), amount])
      const bids = down.map(([step, amount]): [number, number] => [(bid -= step), amount])
      const books = [book('a', { asks }), book('b', { bids })]
      const { opportunity } = matchBooks(books, 0, 1)
      if (opportunity === null) return
      const results = resultsBySize(opportunity, books, 1, [200, 500, 1000, 2000, 5000]).map(({ net_bps }) => net_bps)
      const known = results.filter((value) => value !== null)
      // Once a size is not there, no larger one is.
      expect(results.slice(0, known.length)).toEqual(known)
      for (const [index, value] of known.entries()) {
        expect(value).toBeLessThanOrEqual((known[index - 1] ?? Infinity) + 1e-6)
        expect(value).toBeLessThanOrEqual(opportunity.gross_bps + 1e-6)
      }
    }),
  )
})
