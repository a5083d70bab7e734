import fc from 'fast-check'
import { expect, test } from 'vitest'
import { researchOf } from '#research/rules/research.ts'
import { sampleHistory } from '../sample-history.ts'

test('depth over a window is a lower bound if more than a quarter of the buckets behind it are', () => {
  const history = sampleHistory({ buckets: 24, openScans: 0 })
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }), (bounds) => {
      const buckets = history.buckets.map((bucket, place) => ({
        ...bucket,
        depth_is_lower_bound: bounds[place] ?? false,
      }))
      const { kpi_2h, meta } = researchOf({ ...history, buckets, board: null }, 21, null)
      const isBound = bounds.filter(Boolean).length > 6
      expect(kpi_2h.summary.depth_is_lower_bound).toBe(isBound)
      expect(meta.warnings.includes('depth_lower_bound')).toBe(isBound)
    }),
  )
})

test('depth of too few buckets is that of the newest scans, and so is its bound', () => {
  const history = sampleHistory({ buckets: 3 })
  const [first, ...rest] = history.buckets
  if (first === undefined) throw new Error('the sample has no bucket')
  const early = { ...history, buckets: [{ ...first, depth_is_lower_bound: true }, ...rest] }
  expect(researchOf(early, 21, null).kpi_2h.summary.depth_is_lower_bound).toBe(false)
  const late = { ...history, buckets: history.buckets.map((one, place) => ({ ...one, depth_is_lower_bound: place === history.buckets.length - 1 })) } // prettier-ignore
  expect(researchOf(late, 21, null).kpi_2h.summary.depth_is_lower_bound).toBe(true)
})
