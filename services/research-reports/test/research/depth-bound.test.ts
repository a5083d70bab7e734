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

test('depth over a window is the median of whole depths alone, unless it is a lower bound', () => {
  const history = sampleHistory({ buckets: 28, openScans: 0 })
  const cut = (count: number) => ({
    ...history,
    buckets: history.buckets.map((bucket, place) => ({
      ...bucket,
      depth_2pct_usd: place < count ? 10 : 1_000 + place,
      depth_is_lower_bound: place < count,
    })),
    board: null,
  })
  const [few, many] = [7, 8].map((count) => researchOf(cut(count), 21, null))
  expect(few?.kpi_2h.summary).toMatchObject({ depth_2pct_usd: { value: 1_017, n: 21 }, depth_is_lower_bound: false })
  expect(many?.kpi_2h.summary).toMatchObject({ depth_2pct_usd: { n: 28 }, depth_is_lower_bound: true })
  const place = few?.percentiles.own_history.find(({ key }) => key === 'depth')
  expect(place).toMatchObject({ n: 21, is_lower_bound: false })
  expect(place?.percentile).toBeCloseTo((20.5 / 21) * 100, 0)
})

test('a cell of two hours has the depth of the hour that is whole; of bounds alone it is one', () => {
  const history = sampleHistory({ buckets: 3 })
  const [one] = history.hours
  const last = history.hours.length - 1
  if (one === undefined) throw new Error('the sample has no hours')
  const cells = (...bounds: boolean[]) => {
    const hours = bounds.map((depth_is_lower_bound, place) => ({
      ...one,
      start: new Date(Date.parse(history.buckets[0]?.start ?? '') - (24 - place) * 3_600_000).toISOString(),
      depth_2pct_usd: depth_is_lower_bound ? 10 : 1_000,
      depth_is_lower_bound,
    }))
    return researchOf({ ...history, hours }, 21, null).market.series[0]
  }
  expect(last).toBeGreaterThan(0)
  expect(cells(true, false)).toMatchObject({ depth_2pct_usd: 1_000, depth_is_lower_bound: false })
  expect(cells(true, true)).toMatchObject({ depth_2pct_usd: 10, depth_is_lower_bound: true })
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
