import { expect, test } from 'vitest'
import { sessionTime } from './session-time.ts'

const from = Date.parse('2026-11-28T00:00:00.000Z')

test('an opening within 24 hours is told by its hour, a later one by its day as well', () => {
  expect(sessionTime('2026-11-28T23:59:00.000Z', from, 'en')).toBe('23:59')
  expect(sessionTime('2026-11-29T00:00:00.000Z', from, 'en')).toBe('Sun, Nov 29, 00:00')
  expect(sessionTime('2026-11-30T14:30:00.000Z', from, 'en')).toBe('Mon, Nov 30, 14:30')
  expect(sessionTime('2026-11-30T14:30:00.000Z', from, 'ko')).toBe('11월 30일 (월) 14:30')
})

test('a closing that has passed is told by its hour', () => {
  expect(sessionTime('2026-11-27T21:00:00.000Z', from, 'ko')).toBe('21:00')
})
