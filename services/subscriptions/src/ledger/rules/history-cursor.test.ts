import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor } from './history-cursor.ts'

test('a cursor decodes to the id that it was made of', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (id) => decodeCursor(encodeCursor(id)) === id),
  )
})

test('text that is not one of our cursors is refused, never read as a number', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const id = decodeCursor(text)
      expect(id === null || encodeCursor(id) === text).toBe(true)
    }),
  )
  expect(decodeCursor(Buffer.from('1e3').toString('base64url'))).toBeNull()
  expect(decodeCursor(Buffer.from('-1').toString('base64url'))).toBeNull()
})
