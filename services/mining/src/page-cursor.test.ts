import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromCursor, toCursor } from './page-cursor.ts'

describe('page cursor', () => {
  it('returns every position exactly', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.maxSafeNat(), (standing, seq) => {
        const place = [standing === 0 ? 0 : standing, seq]
        expect(fromCursor(toCursor(place) ?? '', 2)).toEqual(place)
      }),
    )
  })

  it('refuses any other text', () => {
    expect(toCursor(null)).toBeNull()
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(fromCursor(text, 2)).toBeNull()
      }),
    )
    expect(fromCursor(toCursor([1]) ?? '', 2)).toBeNull()
  })
})
