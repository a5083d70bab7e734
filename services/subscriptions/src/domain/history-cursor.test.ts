import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextUtcMonth } from './calendar.ts'
import { decodeCursor, encodeCursor } from './history-cursor.ts'

test('a cursor reads back as the id it was made of', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (id) => decodeCursor(encodeCursor(id)) === id),
  )
})

test('text that is no cursor of ours is refused, never read as a number', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const id = decodeCursor(text)
      expect(id === null || encodeCursor(id) === text).toBe(true)
    }),
  )
  expect(decodeCursor(Buffer.from('1e3').toString('base64url'))).toBeNull()
  expect(decodeCursor(Buffer.from('-1').toString('base64url'))).toBeNull()
})

test('a month ends at UTC midnight, December in the next year', () => {
  expect(nextUtcMonth(new Date('2026-11-30T23:59:59.999Z')).toISOString()).toBe('2026-12-01T00:00:00.000Z')
  expect(nextUtcMonth(new Date('2026-12-31T23:59:59.999Z')).toISOString()).toBe('2027-01-01T00:00:00.000Z')
  expect(nextUtcMonth(new Date('2028-02-29T00:00:00.000Z')).toISOString()).toBe('2028-03-01T00:00:00.000Z')
})
