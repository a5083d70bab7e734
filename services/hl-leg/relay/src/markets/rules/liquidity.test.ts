import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bpsFrom, impactBps, spreadBps } from './liquidity.ts'

const price = fc.integer({ min: 1, max: 10_000_000 }).map((cents) => (cents / 100).toFixed(2))

test('an order away from the middle costs the same on both sides, and nothing at the middle', () => {
  fc.assert(
    fc.property(price, fc.integer({ min: 0, max: 500 }), (middle, bps) => {
      const move = (Number(middle) * bps) / 10_000
      const above = impactBps('buy', (Number(middle) + move).toFixed(12), middle)
      const below = impactBps('sell', (Number(middle) - move).toFixed(12), middle)
      expect(Number(above)).toBeCloseTo(bps, 1)
      expect(Number(below)).toBeCloseTo(bps, 1)
    }),
  )
})

test('what cannot be told is null, never zero', () => {
  expect(bpsFrom('1', null)).toBeNull()
  expect(bpsFrom(null, '1')).toBeNull()
  expect(bpsFrom('1', '0')).toBeNull()
  expect(spreadBps('1', null, null)).toBeNull()
  expect([spreadBps('99', '101', '100'), bpsFrom('100', '100')]).toEqual(['200', '0'])
})
