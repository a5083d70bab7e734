import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeOf, scaleOf } from './interval.ts'

const result = (value: number | null, low: number | null = null, high: number | null = null) => ({
  worth_change_bps: value,
  worth_change_low_bps: low,
  worth_change_high_bps: high,
})

describe('the interval of a worth change', () => {
  it('stands on a scale that has zero and every end, so that rows can be compared', () => {
    const rows = [result(329, -597, 1446), result(-142, -808, 493), result(null)]
    const scale = scaleOf(rows)
    expect(scale).toEqual({ low: -808, high: 1446 })
    const place = placeOf(rows[0] ?? result(null), scale)
    expect(place).toMatchObject({ cutLow: false, cutHigh: false })
    expect(place?.zero).toBeCloseTo(808 / 2254)
    expect(place?.span?.from).toBeCloseTo(211 / 2254)
    expect(place?.span?.to).toBe(1)
  })

  it('is unknown without a figure, and a point without an interval below 14 days', () => {
    expect(placeOf(result(null), scaleOf([]))).toBeNull()
    expect(placeOf(result(71), scaleOf([result(71)]))?.span).toBeNull()
  })

  it('is cut with an arrow where one result would flatten all others', () => {
    const rows = [result(2_000_000_000, 10, 2_000_000_000), result(50)]
    expect(scaleOf(rows).high).toBe(10_000)
    expect(placeOf(rows[0] ?? result(null), scaleOf(rows))).toMatchObject({ at: 1, cutHigh: true, cutLow: false })
  })

  it('never leaves its scale', () => {
    const bps = fc.integer({ min: -10_000, max: 2_000_000_000 })
    fc.assert(
      fc.property(fc.array(fc.tuple(bps, bps, bps), { minLength: 1 }), (given) => {
        const rows = given
          .map((ends) => ends.toSorted((a, b) => a - b))
          .map(([low, value, high]) => result(value ?? 0, low, high))
        for (const row of rows) {
          const place = placeOf(row, scaleOf(rows))
          for (const share of [place?.zero, place?.at, place?.span?.from, place?.span?.to]) {
            expect(share).toBeGreaterThanOrEqual(0)
            expect(share).toBeLessThanOrEqual(1)
          }
        }
      }),
    )
  })
})
