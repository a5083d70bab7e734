import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  exactAmount,
  shareOf,
  shownAmount,
  shownEther,
  shownPercent,
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
  test('is cut and never rounded up', () => {
    expect(shownAmount(unitsOf('1.999999'))).toBe('1.99')
    expect(shownAmount(unitsOf('-1.999999'))).toBe('−1.99')
    fc.assert(
      fc.property(fc.bigInt({ min: 10_000n, max: 10n ** 20n }), (units) => {
        const shown = unitsOf(shownAmount(units).replaceAll('\u00a0', ''))
        expect(shown <= units && units - shown < 10_000n).toBe(true)
      }),
    )
  })

  test('has no decimals when it is whole, thin groups in English and commas in Korean', () => {
    expect(shownAmount(unitsOf('1234567'))).toBe('1\u00a0234\u00a0567')
    expect(shownAmount(unitsOf('1234567.5'), { language: 'ko' })).toBe('1,234,567.50')
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

test('percentages come from basis points by integers', () => {
  expect(shownPercent(1000)).toBe('10\u00a0%')
  expect(shownPercent(1234n)).toBe('12.34\u00a0%')
  expect(shownPercent(-5, { change: true })).toBe('−0.05\u00a0%')
  expect(shownPercent(null)).toBe('—')
  expect(shownPercent(1234n, { language: 'ko' })).toBe('12.34%')
})

test('a figure of a text stays on one line with its unit', () => {
  expect(unbroken('24 h volume $1, 83.8 % of it, 2 bps, 3 hares')).toBe(
    '24\u00a0h volume $1, 83.8\u00a0% of it, 2\u00a0bps, 3 hares',
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
