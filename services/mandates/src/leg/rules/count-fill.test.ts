import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countFill, type EndedOrder } from './count-fill.ts'

const amount = fc.bigInt({ min: 0n, max: 1_000n })
const ended: fc.Arbitrary<EndedOrder> = fc.record({
  outcome: fc.constantFrom('filled', 'missed'),
  opening: fc.boolean(),
  size: amount,
  filledSize: amount,
  notional: amount,
  fee: amount,
  badFill: amount,
  byAgent: fc.boolean(),
})

test('the day uses at least the sum of the fills that opened, however far they lie from what was reserved', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.option(amount), ended)), (orders) => {
      const used = orders.reduce((sum, [reserved, order]) => sum + countFill(reserved, order).resolution.used, 0n)
      const opens = orders.filter(([, { opening, outcome }]) => opening && outcome === 'filled')
      expect(used).toBe(opens.reduce((sum, [, { notional }]) => sum + notional, 0n))
    }),
  )
})

test('an open is a violation by its size or because nobody judged it, never by its price', () => {
  fc.assert(
    fc.property(fc.option(amount), ended, (reserved, order) => {
      const isOpen = order.opening && order.outcome === 'filled'
      const { violation } = countFill(reserved, order)
      expect(violation).toBe(isOpen && (reserved === null || order.filledSize > order.size))
    }),
  )
})
