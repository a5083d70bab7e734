import { expect, test } from 'vitest'
import { agentDays, meanResult, performanceOf } from './agent-days.ts'

test('without flows the mean of mandates is the result of all their money', () => {
  const day = [
    { start: 100, peak: 100, gain: 10 },
    { start: 300, peak: 300, gain: -20 },
  ]
  expect(meanResult(day)).toBeCloseTo(-10 / 400)
  expect(meanResult([])).toBeNull()
  expect(meanResult([{ start: 0, peak: 0, gain: 0 }])).toBeNull()
})

test('money that came during the day counts where it makes the mean lower', () => {
  const loser = { start: 100, peak: 100, gain: -10 }
  // A late deposit into a mandate that stands still dilutes nothing.
  expect(meanResult([loser, { start: 0, peak: 1_000_000, gain: 0 }])).toBeCloseTo(-0.1)
  expect(meanResult([loser, { start: 0, peak: 1_000_000, gain: -1 }])).toBeLessThan(-0.099)
  // A loss of what came in the morning counts on all of it.
  expect(
    meanResult([
      { start: 25, peak: 1_000, gain: -100 },
      { start: 1_000, peak: 1_000, gain: 0 },
    ]),
  ).toBeCloseTo(-0.05)
  // A gain counts on the least.
  expect(
    meanResult([
      { start: 25, peak: 1_000, gain: 100 },
      { start: 975, peak: 975, gain: 0 },
    ]),
  ).toBeCloseTo(0.0025)
})

test('days of several mandates stand in their order, and the drawdown is that of the index', () => {
  const days = agentDays([
    [
      { day: 3, start: 100, peak: 100, gain: -50 },
      { day: 1, start: 0, peak: 100, gain: 0 },
    ],
    [{ day: 2, start: 0, peak: 100, gain: 100 }],
  ])
  expect(days.map(({ day }) => day)).toEqual([1, 2, 3])
  expect(performanceOf(days)).toEqual({ change: 0, drawdown: 0.5 })
  expect(performanceOf([])).toBeNull()
})
