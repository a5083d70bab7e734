import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  changeBps,
  exactAmount,
  shareOf,
  shownAmount,
  shownEther,
  shownPercent,
  shownPrice,
  shownUnits,
  typedUnits,
  unbroken,
  unitsOf,
  unitsOrNull,
} from './money.ts'

describe('amounts of the API', () => {
  test('parse to base units and back without a loss', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (units) => {
        expect(unitsOf(exactAmount(units))).toBe(units)
      }),
    )
  })

  test('of any other form are an error, never a guess', () => {
    for (const text of ['', '1e3', '1,5', '.5', '1.', '0x10', '1.0000001', ' 1', 'NaN', '--1'])
      expect(() => unitsOf(text)).toThrow(RangeError)
  })

  test('that are unknown stay unknown', () => {
    expect(unitsOrNull(null)).toBeNull()
    expect(unitsOrNull('0')).toBe(0n)
    expect(shownAmount(null)).toBe('—')
    expect(shownAmount(0n)).toBe('0')
  })
})

describe('a shown amount', () => {
  test('is never greater than the amount: a gain is cut, and a loss is rounded away from zero', () => {
    expect(shownAmount(unitsOf('1.999999'))).toBe('1.99')
    expect(shownAmount(unitsOf('-1.999999'))).toBe('−2.00')
    expect(shownAmount(unitsOf('-0.359491'))).toBe('−0.36')
    expect(shownAmount(unitsOf('-0.35'))).toBe('−0.35')
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), (units) => {
        const shown = unitsOf(shownAmount(units).replaceAll(',', '').replace('−', '-'))
        expect(shown <= units && units - shown < 10_000n).toBe(true)
      }),
    )
  })

  test('and the worth after a loss add up to no more than the worth before it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.bigInt({ min: 0n, max: 10n ** 15n }), (before, after) => {
        const read = (units: bigint) => unitsOf(shownAmount(units).replaceAll(',', '').replace('−', '-'))
        expect(read(after - before) + before <= after).toBe(true)
      }),
    )
  })

  test('has no decimals when it is whole, commas between groups of three', () => {
    expect(shownAmount(unitsOf('1234567'))).toBe('1,234,567')
    expect(shownAmount(unitsOf('1234567.5'))).toBe('1,234,567.50')
  })

  test('below a cent is shown in full and not as nothing', () => {
    expect(shownAmount(1n)).toBe('0.000001')
    expect(shownAmount(-9_999n)).toBe('−0.009999')
  })

  test('has a sign only for a change', () => {
    expect(shownAmount(unitsOf('3'), { change: true })).toBe('+3')
    expect(shownAmount(unitsOf('-3'), { change: true })).toBe('−3')
    expect(shownAmount(0n, { change: true })).toBe('0')
  })
})

test('a price is rounded against who trades', () => {
  expect(shownPrice(60_240_963_856n, true)).toBe('60,240.97')
  expect(shownPrice(59_036_144_578n, false)).toBe('59,036.14')
  expect(shownPrice(5n, true)).toBe('0.000005')
  expect(shownPrice(100_000_000n, true)).toBe('100')
})

test('a size keeps all its decimals', () => {
  expect(shownUnits(830n)).toBe('0.00083')
  expect(shownUnits(1_234_500_000n)).toBe('1,234.5')
  expect(shownUnits(null)).toBe('—')
})

test('percentages come from basis points by integers', () => {
  expect(shownPercent(1000)).toBe('10%')
  expect(shownPercent(1234n)).toBe('12.34%')
  expect(shownPercent(-5, { change: true })).toBe('−0.05%')
  expect(shownPercent(null)).toBe('—')
})

test('a figure of a text stays on one line with its unit', () => {
  expect(unbroken('24 h volume $1, 83.8 % of it, 2 bps, 3 hares')).toBe(
    '24\u00a0h volume $1, 83.8\u00a0% of it, 2\u00a0bps, 3 hares',
  )
})

test('a loss in basis points is never smaller than the loss, and a gain never greater', () => {
  expect(changeBps(-359_491n, 500_000_000n)).toBe(-8n)
  expect(changeBps(359_491n, 500_000_000n)).toBe(7n)
  expect(changeBps(-5n, 0n)).toBeNull()
  const amount = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
  fc.assert(
    fc.property(amount, fc.bigInt({ min: 1n, max: 10n ** 15n }), (change, whole) => {
      const bps = changeBps(change, whole) ?? 0n
      expect(bps * whole <= change * 10_000n && change * 10_000n < (bps + 1n) * whole).toBe(true)
    }),
  )
})

test('a share lies between 0 and 1 whatever the amounts', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt(), (part, whole) => {
      const share = shareOf(part, whole)
      expect(share >= 0 && share <= 1).toBe(true)
    }),
  )
})

test('ether is cut to six decimals', () => {
  expect(shownEther(1_999_999_999_999_999_999n)).toBe('1.999999')
  expect(shownEther(null)).toBe('—')
})

describe('what a person types', () => {
  test('is read with groups', () => {
    expect(typedUnits('1 234.5')).toBe(unitsOf('1234.5'))
    expect(typedUnits('1,234,567')).toBe(unitsOf('1234567'))
    expect(typedUnits('.5')).toBe(500_000n)
    expect(typedUnits('5.')).toBe(5_000_000n)
  })

  test('is not guessed when it could mean two things', () => {
    for (const text of ['', '1,5', '12,34', '1.2.3', '-1', '1e6', '0.0000001', 'five', '9'.repeat(45)])
      expect(typedUnits(text)).toBeNull()
  })
})
