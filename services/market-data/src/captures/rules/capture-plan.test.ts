import fc from 'fast-check'
import { expect, test } from 'vitest'
import { captureCause, type CaptureCandidate } from './capture-plan.ts'

const day = Date.parse('2026-11-21T00:00:00Z')
const calm: CaptureCandidate = {
  per_day: 10,
  scheduled_today: 0,
  triggered_today: 0,
  last_scheduled: null,
  last_any: null,
  volume_usd: 100,
  volume_median: 100,
  spread_bps: 10,
  spread_median: 10,
}

test('a day has at most the requested captures, half of them by schedule', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), fc.boolean(), (per_day, restless) => {
      let state: CaptureCandidate = { ...calm, per_day, volume_usd: restless ? 1_000 : 100 }
      for (let now = day; now < day + 86_400_000; now += 20_000) {
        const cause = captureCause(state, now)
        if (cause === 'schedule')
          state = { ...state, scheduled_today: state.scheduled_today + 1, last_scheduled: now, last_any: now }
        else if (cause !== null) state = { ...state, triggered_today: state.triggered_today + 1, last_any: now }
      }
      expect(state.scheduled_today).toBe(Math.ceil(per_day / 2))
      expect(state.triggered_today).toBe(
        restless ? Math.min(per_day - Math.ceil(per_day / 2), state.triggered_today) : 0,
      )
      if (restless && per_day >= 2) expect(state.triggered_today).toBeGreaterThan(0)
    }),
    { numRuns: 20 },
  )
})

test('a jump of volume or spread against its hour triggers a capture, at most once in a quarter of an hour', () => {
  const spent = { ...calm, scheduled_today: 5, last_scheduled: day, last_any: day }
  const now = day + 3_600_000
  expect(captureCause(spent, now)).toBeNull()
  expect(captureCause({ ...spent, volume_usd: 500 }, now)).toBe('volume')
  expect(captureCause({ ...spent, spread_bps: 30 }, now)).toBe('spread')
  expect(captureCause({ ...spent, volume_usd: 500, last_any: now - 60_000 }, now)).toBeNull()
  expect(captureCause({ ...spent, volume_usd: 500, triggered_today: 5 }, now)).toBeNull()
  expect(captureCause({ ...spent, volume_usd: 500, volume_median: null }, now)).toBeNull()
})
