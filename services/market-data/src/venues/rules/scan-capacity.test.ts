import { oneEach } from '@svc/contracts/market-data/venue-file'
import { venueFiles } from '@svc/contracts/market-data/venues'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { scanCapacity } from './scan-capacity.ts'

const plain = {
  pools: { main: { units: 100, windowMs: 10_000 } },
  cost: oneEach,
  books: { levels: 100, perCall: 1 },
} as const

it('is what the allowance of a minute leaves beside quotes, lists, rotation, candles and arbitrage', () => {
  // 600 a minute: 1 of quotes, 0.6 of lists, 200 of the rotation, 40 of arbitrage and 16.7 of candles leave 341.7.
  expect(scanCapacity(plain, 1_000)).toBe(Math.floor((600 - 1 - 0.6 - 200 - 40 - 1_000 / 60) / (2 + 1 / 120)))
})

it('is limited by the scarcest pool', () => {
  const candles = { pool: 'candles', units: 1 } as const
  const pools = { ...plain.pools, candles: { units: 10, windowMs: 10_000 } }
  expect(scanCapacity({ ...plain, pools, cost: { ...oneEach, candles } }, 600)).toBe(Math.floor(50 / (1 + 1 / 120)))
})

it('never grows with the number of pairs, and is zero for a venue that the board alone uses up', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 20_000 }), (one, other) => {
      for (const file of venueFiles.values())
        expect(scanCapacity(file, Math.max(one, other))).toBeLessThanOrEqual(scanCapacity(file, Math.min(one, other)))
    }),
    { numRuns: 50 },
  )
  expect(scanCapacity(plain, 10_000)).toBe(0)
})
