import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gapUntil, unavailablePct, type Gap } from './gaps.ts'

test('a worker may miss three runs and a minute; what lies beyond is a gap from its last live run', () => {
  const runs = { everySec: 30, firstSeenMs: 0, lastLiveMs: 1_000_000 }
  expect(gapUntil(runs, 1_150_000)).toBeNull()
  expect(gapUntil(runs, 1_150_001)).toEqual({ fromMs: 1_000_000, toMs: 1_150_001 })
  expect(gapUntil({ ...runs, lastLiveMs: null }, 200_000)).toEqual({ fromMs: 0, toMs: 200_000 })
})

test('the share counts each moment once, whatever overlaps', () => {
  const gap = fc.tuple(fc.integer({ min: -50, max: 120 }), fc.integer({ min: 1, max: 60 }))
  fc.assert(
    fc.property(fc.array(gap, { maxLength: 8 }), (drawn) => {
      const gaps = drawn.map(([from, length]): Gap => ({ fromMs: from, toMs: from + length }))
      const moments = Array.from({ length: 100 }, (_, ms) => ms)
      const missing = moments.filter((ms) => gaps.some(({ fromMs, toMs }) => fromMs <= ms && ms < toMs))
      expect(unavailablePct(gaps, 0, 100)).toBe(missing.length)
    }),
  )
  expect(unavailablePct([], 5, 5)).toBeNull()
})
