import { usdcUnits } from '@svc/contracts/common/usdc'
import { exact } from '@svc/hyperliquid/rounding'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FollowOrder } from './decide-signal.ts'
import { quantityOf, type Sizing } from './order-quantity.ts'

const order = (some: Partial<FollowOrder> = {}): FollowOrder => ({
  n: 1,
  side: 'buy',
  reduceOnly: false,
  size: null,
  amountUsdc: '100',
  ...some,
})
const sizing: Sizing = { mark: '60000', band: '0.05', sizeDecimals: 5, openMax: 1_000_000_000n }

test('an amount becomes its size at the mark, rounded down to a lot, and a size stays', () => {
  expect(quantityOf(order(), sizing)).toEqual({ size: '0.00166', amountUsdc: null })
  expect(quantityOf(order({ reduceOnly: true, side: 'sell' }), sizing)).toEqual({ size: '0.00166', amountUsdc: null })
  expect(quantityOf(order({ size: '7', amountUsdc: null }), sizing)).toEqual({ size: '7', amountUsdc: null })
})

test('less than a lot is sent by its amount, which is refused with its reason', () => {
  expect(quantityOf(order({ amountUsdc: '11' }), { ...sizing, sizeDecimals: 0 })).toEqual({
    size: null,
    amountUsdc: '11',
  })
})

test('an open reaches its target within one lot or costs all that passes, and never more at its worst price', () => {
  fc.assert(
    fc.property(
      fc.record({
        cents: fc.integer({ min: 1_100, max: 10_000_000 }),
        max: fc.integer({ min: 1_100, max: 10_000_000 }),
        mark: fc.integer({ min: 1, max: 100_000 }).map(String),
        band: fc.constantFrom('0', '0.000001', '0.01', '0.05'),
        sizeDecimals: fc.integer({ min: 0, max: 5 }),
        side: fc.constantFrom('buy' as const, 'sell' as const),
      }),
      ({ cents, max, mark, band, sizeDecimals, side }) => {
        // As the decision gives it: at most what passes.
        const amountUsdc = exact(Math.min(cents, max)).div(100).toFixed()
        const openMax = usdcUnits(exact(max).div(100).toFixed())
        const { size, amountUsdc: amount } = quantityOf(order({ side, amountUsdc }), {
          mark,
          band,
          sizeDecimals,
          openMax,
        })
        const worst = exact(mark).times(exact(band).plus(1))
        const passing = exact(max).div(100)
        if (size === null) {
          expect(exact(amount).lte(passing)).toBe(true)
          if (side === 'buy') expect(exact(amount).div(worst).lte(exact(amountUsdc).div(mark))).toBe(true)
          return
        }
        const missing = exact(amountUsdc).div(mark).minus(size)
        expect(missing.gte(0) && missing.lt(exact(10).pow(-sizeDecimals))).toBe(true)
        expect(worst.times(size).lte(passing)).toBe(true)
      },
    ),
  )
})
