import { expect, test } from 'vitest'
import { every, nextPollMs } from './polling.ts'

test('polls come at their usual pace, slower with each failure up to a minute, and at once again after a success', () => {
  expect([0, 1, 2, 3, 4].map((failures) => nextPollMs(every.live, failures, false))).toEqual([
    12_000, 24_000, 48_000, 60_000, 60_000,
  ])
  expect(nextPollMs(every.slow, 5, false)).toBe(60_000)
})

test('what the service refuses for good is not asked again', () => {
  expect(nextPollMs(every.open, 1, true)).toBe(false)
})
