import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { walkBook, type Book } from './walk-book.ts'

const book: Book = {
  bids: [
    { price: '99', size: '1' },
    { price: '98', size: '2' },
  ],
  asks: [
    { price: '100', size: '1' },
    { price: '101', size: '0' },
    { price: '102', size: '2' },
  ],
}
const terms = { takerFee: '0.00045', sizeDecimals: 2 }

describe('walking an order through a book', () => {
  test.each([
    ['a size within the best level', 'buy', { size: '0.5' }, undefined, ['0.5', '100', '100', '50', '0.0225', '0']],
    ['a size of two levels', 'buy', { size: '2' }, undefined, ['2', '101', '102', '202', '0.0909', '0']],
    ['a size above the book', 'sell', { size: '5' }, undefined, ['3', '98.3333333333', '98', '295', '0.13275', '2']],
    ['a limit price in between', 'buy', { size: '2' }, '101.5', ['1', '100', '100', '100', '0.045', '1']],
    ['a limit price that nothing meets', 'buy', { size: '2' }, '99', ['0', null, null, '0', '0', '2']],
    [
      'an amount, in whole lots',
      'buy',
      { amountUsdc: '151' },
      undefined,
      ['1.5', '100.666666667', '102', '151', '0.06795', '0'],
    ],
    ['an amount below a lot', 'buy', { amountUsdc: '0.5' }, undefined, ['0', null, null, '0', '0', '0.5']],
  ] as const)(
    '%s',
    (_, side, quantity, limitPrice, [filledSize, averagePrice, worstPrice, notionalUsdc, feeUsdc, unfilled]) => {
      const order = { side, quantity, ...terms, ...(limitPrice === undefined ? {} : { limitPrice }) }
      expect(walkBook(book, order)).toEqual({ filledSize, averagePrice, worstPrice, notionalUsdc, feeUsdc, unfilled })
    },
  )

  test('an empty side fills nothing', () => {
    expect(walkBook({ bids: [], asks: [] }, { side: 'sell', quantity: { size: '1' }, ...terms })).toMatchObject({
      filledSize: '0',
      unfilled: '1',
    })
  })
})

describe('whatever the book', () => {
  const units = (max: number) => fc.integer({ min: 1, max }).map((value) => new Decimal(value).div(100).toFixed())
  const ladder = fc.array(fc.record({ price: units(100_000), size: units(10_000) }), { maxLength: 30 })
  const anyBook = fc.record({ bids: ladder, asks: ladder }).map(({ bids, asks }): Book => ({
    bids: bids.toSorted((a, b) => Number(b.price) - Number(a.price)),
    asks: asks.toSorted((a, b) => Number(a.price) - Number(b.price)),
  }))
  const side = fc.constantFrom<'buy' | 'sell'>('buy', 'sell')

  test('filled and unfilled sum to what was asked, and no price is worse than the worst', () => {
    fc.assert(
      fc.property(anyBook, side, units(1_000_000), (given, direction, size) => {
        const walk = walkBook(given, { side: direction, quantity: { size }, ...terms })
        expect(new Decimal(walk.filledSize).plus(walk.unfilled).eq(size)).toBe(true)
        if (walk.averagePrice === null || walk.worstPrice === null) return
        const bound = new Decimal(walk.worstPrice).times(walk.filledSize)
        expect(direction === 'buy' ? bound.gte(walk.notionalUsdc) : bound.lte(walk.notionalUsdc)).toBe(true)
      }),
      { numRuns: 500, seed: 20261122 },
    )
  })

  test('an amount is never exceeded', () => {
    fc.assert(
      fc.property(anyBook, side, units(10_000_000), (given, direction, amountUsdc) => {
        const walk = walkBook(given, { side: direction, quantity: { amountUsdc }, ...terms })
        expect(new Decimal(walk.notionalUsdc).lte(amountUsdc)).toBe(true)
        expect(new Decimal(walk.filledSize).decimalPlaces()).toBeLessThanOrEqual(2)
      }),
      { numRuns: 500, seed: 20261122 },
    )
  })

  test('a larger size never has a better average price', () => {
    fc.assert(
      fc.property(anyBook, side, units(10_000), units(10_000), (given, direction, size, more) => {
        const small = walkBook(given, { side: direction, quantity: { size }, ...terms }).averagePrice
        const sum = new Decimal(size).plus(more).toFixed()
        const large = walkBook(given, { side: direction, quantity: { size: sum }, ...terms }).averagePrice
        if (small === null || large === null) return
        const slack = new Decimal(large).times('1e-11')
        expect(direction === 'buy' ? slack.plus(large).gte(small) : new Decimal(large).minus(slack).lte(small)).toBe(
          true,
        )
      }),
      { numRuns: 500, seed: 20261122 },
    )
  })
})
