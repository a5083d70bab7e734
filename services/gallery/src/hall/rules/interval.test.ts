import { expect, test } from 'vitest'
import { intervalOf, stretchOf } from './interval.ts'
import { studentQuantile } from './student.ts'

/** Normal numbers that depend on a seed alone. */
function normalOf(seed: number): () => number {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 0.5) / 2 ** 32
  }
  return () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next())
}
const resultsOf = (seed: number, days: number) => {
  const normal = normalOf(seed * 7_919)
  return Array.from({ length: days }, () => Math.expm1(normal() * 0.02))
}

test('Student quantiles are those of the tables', () => {
  const table = [
    [0.95, 3, 2.353_363],
    [0.95, 17, 1.739_607],
    [0.975, 10, 2.228_139],
    [0.995, 4, 4.604_095],
    [0.9995, 30, 3.645_959],
  ] as const
  for (const [probability, degrees, wanted] of table)
    expect(studentQuantile(probability, degrees)).toBeCloseTo(wanted, 5)
})

test('there is no interval below 14 days, and the same days give the same one', () => {
  expect(intervalOf(resultsOf(1, 13), 5, 0)).toBeNull()
  expect(intervalOf(resultsOf(1, 14), 5, 0)).toEqual(intervalOf(resultsOf(1, 14), 5, 0))
})

test('90 % of the intervals of independent days contain what the days are drawn from', () => {
  for (const days of [14, 60]) {
    const runs = 600
    let inside = 0
    for (let seed = 1; seed <= runs; seed += 1) {
      const interval = intervalOf(resultsOf(seed, days), seed, 0)
      if (interval !== null && interval.low <= 0 && interval.high >= 0) inside += 1
    }
    expect(inside / runs).toBeGreaterThan(0.87)
    expect(inside / runs).toBeLessThan(0.97)
  }
})

test('each sibling makes the interval wider', () => {
  for (const days of [14, 30, 365])
    for (let siblings = 1; siblings < 100; siblings += 1)
      expect(stretchOf(days, siblings)).toBeGreaterThan(stretchOf(days, siblings - 1))
})

test('an agent that lost everything has an interval of a loss of everything', () => {
  const interval = intervalOf([...resultsOf(3, 20), -1], 1, 0)
  expect(interval?.low).toBeCloseTo(-1)
})
