import { expect, test } from 'vitest'
import { rankMemory } from './rank-memory.ts'

const TODAY = '2026-11-30'
const dayBefore = (count: number) => new Date(Date.parse(TODAY) - count * 86_400_000).toISOString().slice(0, 10)

test('a mean is that of the known days of its span, today included, and unknown with fewer than half of them', () => {
  const days = (from: number, to: number, rank: number) =>
    Array.from({ length: to - from + 1 }, (_, place) => ({ day: dayBefore(to - place), rank }))
  expect(rankMemory([], TODAY)).toEqual([
    { days: 30, mean: null, known: 0 },
    { days: 90, mean: null, known: 0 },
    { days: 365, mean: null, known: 0 },
  ])
  expect(rankMemory(days(0, 13, 80), TODAY)[0]).toEqual({ days: 30, mean: null, known: 14 })
  expect(rankMemory(days(0, 14, 80), TODAY)[0]).toEqual({ days: 30, mean: 80, known: 15 })
  expect(rankMemory([...days(30, 59, 20), ...days(0, 29, 90)], TODAY)).toEqual([
    { days: 30, mean: 90, known: 30 },
    { days: 90, mean: 55, known: 60 },
    { days: 365, mean: null, known: 60 },
  ])
  expect(rankMemory(days(0, 364, 33), TODAY)[2]).toEqual({ days: 365, mean: 33, known: 365 })
})
