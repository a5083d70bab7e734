import { expect, test } from 'vitest'
import { rateDays, rateInterval, type Point } from './rate-days.ts'

const point = (worth: number, paidIn = 0, paidOut = 0): Point => ({
  worth: BigInt(worth * 1e6),
  paidIn: BigInt(paidIn * 1e6),
  paidOut: BigInt(paidOut * 1e6),
})
const result = (from: Point, to: Point) => {
  const interval = rateInterval(from, to)
  return interval === null ? null : Number(interval.profit) / Number(interval.base)
}

test('a gain counts on all that was at work, a loss on what was there before', () => {
  expect(result(point(100, 100), point(220, 200))).toBeCloseTo(20 / 200)
  expect(result(point(100, 100), point(180, 200))).toBeCloseTo(-20 / 100)
  expect(result(point(100, 100), point(60, 100, 50))).toBeCloseTo(10 / 100)
})

test('an interval that begins with less than 25 USDC is rated only for losses of what came in', () => {
  expect(result(point(20, 20), point(40, 20))).toBeNull()
  expect(result(point(20, 20), point(5, 20))).toBeNull()
  expect(result(point(20, 20), point(1_100, 1_020))).toBeNull()
  expect(result(point(20, 20), point(920, 1_020))).toBeCloseTo(-100 / 1_020)
  expect(result(point(0), point(110, 100))).toBeCloseTo(0.1)
})

test('a mandate that lost most of 25 USDC is still rated; one whose owner took it out is not', () => {
  expect(result(point(10, 30), point(11, 30))).toBeCloseTo(0.1)
  expect(result(point(10, 30, 20), point(11, 30, 20))).toBeNull()
})

test('a day without a point has no rating and changes nothing for the next one', () => {
  const days = [
    { day: '2026-11-01', points: [point(100, 100)], foreignFills: 0 },
    { day: '2026-11-02', points: [], foreignFills: 0 },
    { day: '2026-11-03', points: [point(110, 100)], foreignFills: 0 },
  ]
  const rated = rateDays(null, days)
  expect(rated.map(({ start, peak, gain }) => [start, peak, gain].map((n) => Number(n) / 1e6))).toEqual([
    [0, 100, 0],
    [0, 0, 0],
    [100, 100, 10],
  ])
  // Days that are rated later continue from the closing before them.
  expect(rateDays(rated[0]?.closing ?? null, days.slice(1))).toEqual(rated.slice(1))
})

test('a day with fills that are not of the mandate counts no gain and all of a loss', () => {
  const day = (worth: number) => [{ day: '2026-11-02', points: [point(worth, 100)], foreignFills: 1 }]
  expect(rateDays(point(100, 100), day(150))[0]?.gain).toBe(0n)
  expect(rateDays(point(100, 100), day(90))[0]?.gain).toBe(-10_000_000n)
})
