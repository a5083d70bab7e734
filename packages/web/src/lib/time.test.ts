import { expect, test } from 'vitest'
import { distanceOf, utcText } from './time.ts'

const at = Date.parse('2026-11-22T02:47:11.000Z')

test.each([
  [0, { unit: 'now', n: 0 }],
  [59, { unit: 'seconds', n: 59 }],
  [60, { unit: 'minutes', n: 1 }],
  [3_599, { unit: 'minutes', n: 59 }],
  [86_399, { unit: 'hours', n: 23 }],
  [7 * 86_400 - 1, { unit: 'days', n: 6 }],
  [7 * 86_400, null],
])('%i seconds are told in the largest unit that fits, on either side of now', (seconds, distance) => {
  expect(distanceOf(at, at + seconds * 1000)).toEqual(distance)
  expect(distanceOf(at, at - seconds * 1000)).toEqual(distance)
})

test('a moment that a contract counts says UTC', () => {
  expect(utcText('2026-11-22T02:47:11.000Z')).toBe('2026-11-22 02:47:11 UTC')
})
