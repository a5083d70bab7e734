import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { floorUsdc, isWireDecimal, roundPrice, roundSize, worstPrice } from '../src/rounding.ts'

describe('prices', () => {
  test.each([
    ['0.0856235', 'sell', 1, '0.08563'],
    ['0.0856235', 'buy', 1, '0.08562'],
    ['123456.7', 'buy', 5, '123456'],
    ['123456.7', 'sell', 5, '123457'],
    ['0.094605', 'buy', 1, '0.0946'],
    ['99999.5', 'sell', 0, '100000'],
    ['9.99999', 'sell', 2, '10'],
    ['0.0000001', 'buy', 0, null],
    ['0', 'sell', 0, null],
    ['-1', 'sell', 0, null],
  ] as const)('%s as the limit of a %s with %i decimals of size becomes %s', (price, side, sizeDecimals, rounded) => {
    expect(roundPrice(price, side, sizeDecimals)).toBe(rounded)
  })

  const price = fc
    .tuple(fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.nat(9))
    .map(([units, places]) => new Decimal(units).div(new Decimal(10).pow(places)).toFixed())
  const side = fc.constantFrom<'buy' | 'sell'>('buy', 'sell')

  test('a rounded price lies on the grid, never outside the band, and rounding it again changes nothing', () => {
    fc.assert(
      fc.property(price, side, fc.nat(5), (exact, direction, sizeDecimals) => {
        const rounded = roundPrice(exact, direction, sizeDecimals)
        if (rounded === null) return
        const value = new Decimal(rounded)
        expect(isWireDecimal(rounded)).toBe(true)
        expect(direction === 'buy' ? value.lte(exact) : value.gte(exact)).toBe(true)
        expect(value.decimalPlaces()).toBeLessThanOrEqual(6 - sizeDecimals)
        expect(value.isInteger() || value.precision() <= 5).toBe(true)
        expect(roundPrice(rounded, direction, sizeDecimals)).toBe(rounded)
      }),
      { numRuns: 2_000, seed: 20261122 },
    )
  })

  test('the worst price is at most the slippage away from the middle', () => {
    expect(worstPrice('57000', 'buy', '0.05', 5)).toBe('59850')
    expect(worstPrice('57000', 'sell', '0.05', 5)).toBe('54150')
    fc.assert(
      fc.property(price, side, fc.nat(5), (middle, direction, sizeDecimals) => {
        const worst = worstPrice(middle, direction, '0.05', sizeDecimals)
        if (worst === null) return
        const bound = new Decimal(middle).times(direction === 'buy' ? '1.05' : '0.95')
        expect(direction === 'buy' ? bound.gte(worst) : bound.lte(worst)).toBe(true)
      }),
      { numRuns: 1_000, seed: 20261122 },
    )
  })
})

describe('sizes and amounts', () => {
  test('a size is cut to the lot', () => {
    expect(roundSize('0.123456', 3)).toBe('0.123')
    expect(roundSize('0.0009', 3)).toBe('0')
  })

  test('an amount of USDC is cut to micro-dollars', () => {
    expect(floorUsdc('12.34567899')).toBe('12.345678')
    expect(floorUsdc('0.0000009')).toBe('0')
  })

  test.each(['1.50', '01', '1e3', '-1', '+1', '.5', '1.', '', '0.123456789', 'NaN'])(
    '%j is not a decimal of the wire',
    (text) => {
      expect(isWireDecimal(text)).toBe(false)
    },
  )
})
