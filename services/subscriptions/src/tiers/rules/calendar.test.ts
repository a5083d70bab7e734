import { expect, test } from 'vitest'
import { nextUtcMonth } from './calendar.ts'

test('a month ends at UTC midnight, December in the next year', () => {
  expect(nextUtcMonth(new Date('2026-11-30T23:59:59.999Z')).toISOString()).toBe('2026-12-01T00:00:00.000Z')
  expect(nextUtcMonth(new Date('2026-12-31T23:59:59.999Z')).toISOString()).toBe('2027-01-01T00:00:00.000Z')
  expect(nextUtcMonth(new Date('2028-02-29T00:00:00.000Z')).toISOString()).toBe('2028-03-01T00:00:00.000Z')
})
