import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hallAddressQuery, hallSent, hallViewOf, SORTS, WINDOWS } from './hall-query.ts'
import { placeOf, scaleOf } from './interval.ts'
import { kindParts } from './refusal-kinds.ts'

const result = (value: number | null, low: number | null = null, high: number | null = null) => ({
  worth_change_bps: value,
  worth_change_low_bps: low,
  worth_change_high_bps: high,
})

describe('the address of the Hall', () => {
  it('says every choice, and reads it again as it was', () => {
    fc.assert(
      fc.property(
        fc.record({
          window: fc.constantFrom(...WINDOWS),
          sort: fc.constantFrom(...SORTS),
          accepting: fc.boolean(),
          operator: fc.constantFrom('signal' as const, 'vault' as const, null),
          offset: fc.integer({ min: 0, max: 1_000_000 }),
        }),
        (view) => {
          expect(hallViewOf(hallAddressQuery(view))).toEqual(view)
        },
      ),
    )
  })

  it('leaves out what it does not know', () => {
    const view = hallViewOf('?window=2d&sort=luck&accepting=yes&operator=%3Cb%3E&offset=-1&more=1')
    expect(hallAddressQuery(view)).toBe('')
    expect(hallSent(view)).toEqual({ window: 'all', sort: 'days_live', limit: 50, offset: 0 })
  })
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

describe('a rail of refusals', () => {
  it('has a part for each kind in one order, as long as its share of the longest rail', () => {
    expect(kindParts({ owner_declined: 1, OverPerTxCap: 3, OverDailyCap: 0, TargetNotAllowed: 2 }, 12)).toEqual([
      { kind: 'TargetNotAllowed', count: 2, share: 2 / 12 },
      { kind: 'OverPerTxCap', count: 3, share: 3 / 12 },
      { kind: 'owner_declined', count: 1, share: 1 / 12 },
    ])
  })

  it('keeps a kind that it does not know, after the others', () => {
    expect(kindParts({ constructor: 1, AKind: 1, MandateEnded: 1 }, 3).map(({ kind }) => kind)).toEqual([
      'MandateEnded',
      'AKind',
      'constructor',
    ])
  })
})
