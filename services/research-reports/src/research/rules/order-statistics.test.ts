import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { medianInterval, medianIntervalRank, midRank } from './order-statistics.ts'

/** P(Binomial(n, ½) < k), summed exactly in whole numbers. */
function chanceBelow(n: number, k: number): number {
  let term = 1n
  let sum = 0n
  for (let i = 0; i < k; i += 1) {
    sum += term
    term = (term * BigInt(n - i)) / BigInt(i + 1)
  }
  return Number((sum * 10n ** 12n) / 2n ** BigInt(n)) / 1e12
}

describe('interval of a median', () => {
  test('uses the tightest ranks with at least 95 %, for every count of values up to a bucket of scans', () => {
    for (let n = 6; n <= 120; n += 1) {
      const k = medianIntervalRank(n) ?? 0
      expect(chanceBelow(n, k), `n ${n}`).toBeLessThanOrEqual(0.025)
      expect(chanceBelow(n, k + 1), `n ${n}`).toBeGreaterThan(0.025)
    }
  })

  test('does not exist below six values', () => {
    expect([1, 2, 3, 4, 5].map(medianIntervalRank)).toEqual([null, null, null, null, null])
    expect(medianInterval([3, 1, 2])).toEqual({ value: 2, low: null, high: null, n: 3 })
    expect(medianInterval([null, null])).toEqual({ value: null, low: null, high: null, n: 0 })
  })

  test('is known for the longest history, where ½ to the power of n is not a double', () => {
    expect(medianIntervalRank(1081)).toBe(508)
  })

  test('covers the true median at least as often as stated', () => {
    // A generator of its own, so that the count below is the same in every run.
    let state = 20_261_121
    const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
    const trials = 4_000
    let covered = 0
    for (let trial = 0; trial < trials; trial += 1) {
      const { low, high } = medianInterval(Array.from({ length: 24 }, () => random() ** 3))
      if (low !== null && high !== null && low <= 0.125 && 0.125 <= high) covered += 1
    }
    expect(covered / trials).toBeGreaterThan(0.95)
    expect(covered / trials).toBeLessThan(0.99)
  })

  test('encloses the value and lies within the values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 6, maxLength: 200 }),
        (all) => {
          const { value, low, high } = medianInterval(all)
          expect(low).toBeLessThanOrEqual(value ?? NaN)
          expect(high).toBeGreaterThanOrEqual(value ?? NaN)
          expect(all).toContain(low)
          expect(all).toContain(high)
        },
      ),
    )
  })
})

test('a mid-rank places a value in the middle of its equals', () => {
  expect(midRank(2, [1, 2, 3])).toBe(50)
  expect(midRank(2, [2, 2, 2, 2])).toBe(50)
  expect(midRank(0, [1, 2])).toBe(0)
  expect(midRank(1, [])).toBeNull()
})
