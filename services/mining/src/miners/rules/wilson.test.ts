import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wilsonLowerBound } from './wilson.ts'

const counts = fc.integer({ min: 0, max: 1_000_000 })

describe('Wilson lower bound', () => {
  it('matches published values', () => {
    expect(wilsonLowerBound(10, 0)).toBeCloseTo(0.7225, 4)
    expect(wilsonLowerBound(1, 1)).toBeCloseTo(0.0945, 4)
    expect(wilsonLowerBound(0, 0)).toBe(0)
  })

  it('is between 0 and the share of approvals', () => {
    fc.assert(
      fc.property(counts, counts, (approved, rejected) => {
        const bound = wilsonLowerBound(approved, rejected)
        expect(bound).toBeGreaterThanOrEqual(0)
        expect(bound).toBeLessThanOrEqual(approved + rejected === 0 ? 0 : approved / (approved + rejected) + 1e-12)
      }),
    )
  })

  it('rises with an approval and falls with a rejection', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 0, max: 10_000 }), (approved, rejected) => {
        expect(wilsonLowerBound(approved + 1, rejected)).toBeGreaterThan(wilsonLowerBound(approved, rejected))
        expect(wilsonLowerBound(approved, rejected + 1)).toBeLessThan(wilsonLowerBound(approved, rejected))
      }),
    )
  })
})
