import fc from 'fast-check'
import { expect, test } from 'vitest'
import { returnAmount, unitsOf } from './return-amount.ts'

test('a return takes what can be taken out, at most what the leg is worth, and says whether it ends the leg', () => {
  expect(returnAmount({ withdrawable: 50_000_000n, equity: 30_000_000n })).toEqual({ amount: 30_000_000n, last: true })
  expect(returnAmount({ withdrawable: 20_000_000n, equity: 30_000_000n })).toEqual({ amount: 20_000_000n, last: false })
  expect(returnAmount({ withdrawable: 20_000_000n, equity: 20_009_999n })).toEqual({ amount: 20_000_000n, last: true })
  expect(returnAmount({ withdrawable: 20_000_000n, equity: 20_010_000n })).toMatchObject({ last: false })
  expect(returnAmount({ withdrawable: 9_999n, equity: 30_000_000n })).toBe('not_withdrawable')
  expect(returnAmount({ withdrawable: 20_000_000n, equity: 9_999n })).toBe('nothing_owed')
  expect(returnAmount({ withdrawable: 20_000_000n, equity: -1n })).toBe('nothing_owed')
})

test('a return never exceeds the money that can be taken out or that is owed', () => {
  const units = fc.bigInt({ min: -1_000_000_000n, max: 10n ** 12n })
  fc.assert(
    fc.property(units, units, (withdrawable, equity) => {
      const planned = returnAmount({ withdrawable, equity })
      if (typeof planned === 'string') return
      expect(planned.amount).toBeGreaterThanOrEqual(10_000n)
      expect(planned.amount).toBeLessThanOrEqual(withdrawable)
      expect(planned.amount).toBeLessThanOrEqual(equity)
    }),
  )
})

test('decimal text becomes base units rounded down, on both sides of zero', () => {
  expect(['12.5', '0.0000019', '-0.0000011', '-3', '7'].map(unitsOf)).toEqual([
    12_500_000n,
    1n,
    -2n,
    -3_000_000n,
    7_000_000n,
  ])
})
