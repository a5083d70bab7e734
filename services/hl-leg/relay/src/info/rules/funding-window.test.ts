import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wholeHours, windowOf } from './funding-window.ts'

const HOUR = 3_600_000
const time = fc.integer({ min: 0, max: 4_000_000_000_000 })
const maybe = fc.option(time, { nil: null })

test('whole hours contain the window, up to their maximum, and say how many rows may come', () => {
  fc.assert(
    fc.property(time, maybe, maybe, fc.integer({ min: 1, max: 500 }), (now, from, to, hoursMax) => {
      const window = windowOf(now, from, to)
      if (window === null) {
        expect(from).toBeGreaterThan(to ?? now)
        return
      }
      const { fromMs, toMs, hours } = wholeHours(window, hoursMax)
      expect(fromMs % HOUR).toBe(0)
      expect(toMs - fromMs + 1).toBe(hours * HOUR)
      expect(hours).toBeLessThanOrEqual(hoursMax)
      expect(fromMs).toBeLessThanOrEqual(Math.max(0, window.fromMs))
      if (hours < hoursMax) expect(toMs).toBeGreaterThanOrEqual(window.toMs)
    }),
  )
})

test('a window without bounds is the last day, and no window ends after now', () => {
  const now = 1_000 * HOUR
  expect(windowOf(now, null, null)).toEqual({ fromMs: now - 24 * HOUR, toMs: now })
  expect(windowOf(now, now - HOUR, now + HOUR)).toEqual({ fromMs: now - HOUR, toMs: now })
  expect(windowOf(now, now + 1, null)).toBeNull()
  expect(windowOf(now, now, now - 1)).toBeNull()
})
