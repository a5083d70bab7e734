import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fixed, fixedOf, fixedText, shareOf, times } from './fixed.ts'

test('decimal text survives the way through a fixed-point figure', () => {
  const text = fc
    .tuple(fc.constantFrom('', '-'), fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.stringMatching(/^\d{0,17}[1-9]$/))
    .map(([sign, whole, fraction]) => `${sign}${whole}.${fraction}`)
  fc.assert(
    fc.property(text, (one) => {
      expect(fixedText(fixedOf(one))).toBe(one)
    }),
  )
  expect(fixedText(fixedOf('-0.000001'), 2)).toBe('0')
  expect(fixedText(fixedOf('12.3456'), 2)).toBe('12.34')
})

test('a text that is no plain decimal is null, never zero', () => {
  for (const text of ['', '1e3', '0x1', ' 1', '1.', '.5', '+1', 'NaN', '1,5', '١']) expect(fixed(text)).toBeNull()
  expect(() => fixedOf('1e3')).toThrow('not a plain decimal')
})

test('products are cut, and a share stays on its rail', () => {
  expect(fixedText(times(fixedOf('0.0099'), fixedOf('3015')))).toBe('29.8485')
  expect([shareOf(1n, 4n), shareOf(5n, 4n), shareOf(0n, 0n), shareOf(1n, 0n)]).toEqual([0.25, 1, 0, 1])
})
