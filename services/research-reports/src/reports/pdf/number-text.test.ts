import { expect, test } from 'vitest'
import { axisPrice, bps, percent, price, usd } from './number-text.ts'

test('unknown figures are a dash, never a zero', () => {
  expect([bps(null), price(null), usd(null), percent(null)]).toEqual(['–', '–', '–', '–'])
})

test.each([
  [usd(0), '$0'],
  [usd(999.4), '$999'],
  [usd(-39_500), '-$39.5k'],
  [usd(1_234_567), '$1.23M'],
  [usd(9_876_543_210), '$9.88B'],
  [price(0.000_080_12), '0.00008012'],
  [price(64_123.5), '64,124'],
  [price(22.4), '22.400'],
  [price(0), '0'],
  [axisPrice(0.1 + 0.2), '0.3'],
  [bps(0.123_4), '0.123 bp'],
  [bps(1_234.5), '1,235 bp'],
  [percent(0.999_6), '100.0%'],
])('%s', (shown, expected) => {
  expect(shown).toBe(expected)
})
