import { exact } from '@svc/hyperliquid/rounding'
import { walkBook } from '@svc/venue/rules/walk-book'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countedNow } from './counted-now.ts'

const cents = fc.integer({ min: 1, max: 10_000_000 })
const text = (value: number) => exact(value).div(100).toFixed()

test('an order counts at least what it fills in the book of its reading, whatever was read when it was prepared', () => {
  fc.assert(
    fc.property(
      fc.record({
        side: fc.constantFrom('buy' as const, 'sell' as const),
        size: cents.map(text),
        worst: cents,
        mark: cents,
        bid: cents,
        spread: fc.nat(10_000),
        steps: fc.array(fc.record({ away: fc.nat(10_000), size: cents }), { maxLength: 5 }),
      }),
      ({ side, size, worst, mark, bid, spread, steps }) => {
        const ask = bid + spread
        const level = (price: number, count: number) => ({ price: text(price), size: text(count) })
        const bids = [level(bid, 500), ...steps.map((step) => level(Math.max(1, bid - step.away), step.size))]
        const asks = [level(ask, 500), ...steps.map((step) => level(ask + step.away, step.size))]
        const book = {
          bids: bids.toSorted((one, other) => exact(other.price).cmp(one.price)),
          asks: asks.toSorted((one, other) => exact(one.price).cmp(other.price)),
        }
        const order = { side, size, worstPrice: text(worst) }
        const counted = countedNow(order, { mark: text(mark), bid: text(bid), ask: text(ask) })
        const walk = walkBook(book, {
          side,
          quantity: { size },
          limitPrice: text(worst),
          takerFee: '0',
          sizeDecimals: 2,
        })
        expect(exact(walk.notionalUsdc).lte(counted.notionalUsdc)).toBe(true)
        expect(exact(counted.referencePrice).gte(worst / 100)).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
})
