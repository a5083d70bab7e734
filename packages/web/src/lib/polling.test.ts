import { expect, test } from 'vitest'
import { countedFor, every, nextPollMs, RESTING_CALLS, restingMs } from './polling.ts'

test('polls come at their usual pace, slower with each failure up to a minute, and at once again after a success', () => {
  expect([0, 1, 2, 3, 4].map((failures) => nextPollMs(every.live, failures, false))).toEqual([
    12_000, 24_000, 48_000, 60_000, 60_000,
  ])
  expect(nextPollMs(every.slow, 5, false)).toBe(60_000)
})

test('what the service refuses for good is not asked again', () => {
  expect(nextPollMs(every.open, 1, true)).toBe(false)
})

test('a tab that nobody touches spends no more of a day, however much it polls', () => {
  for (const polls of [1, 3, 10]) {
    const pause = restingMs(every.live, polls, RESTING_CALLS.visitor)
    expect((polls * 86_400_000) / pause).toBeLessThanOrEqual(RESTING_CALLS.visitor)
  }
  // A poll that is slow already stays as it is.
  expect(restingMs(every.seldom, 1, RESTING_CALLS.visitor)).toBe(every.seldom)
})

test('every call of a visitor is counted by the day, and of an account the calls of the market data alone', () => {
  expect(countedFor('GET /hub/hall', false)).toBe('visitor')
  expect(countedFor('GET /hub/hall', true)).toBeNull()
  expect(countedFor('GET /ui/trade/products', true)).toBeNull()
  expect(countedFor('GET /board', true)).toBe('account')
})
