import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hallAddressQuery, hallSent, hallViewOf, SORTS, WINDOWS } from './hall-query.ts'

describe('the address of the Hall', () => {
  it('says every choice, and reads it again as it was', () => {
    fc.assert(
      fc.property(
        fc.record({
          window: fc.constantFrom(...WINDOWS),
          sort: fc.constantFrom(...SORTS),
          accepting: fc.boolean(),
          operator: fc.constantFrom('signal' as const, 'vault' as const, null),
          offset: fc.integer({ min: 0, max: 1_000_000 }),
        }),
        (view) => {
          expect(hallViewOf(hallAddressQuery(view))).toEqual(view)
        },
      ),
    )
  })

  it('leaves out what it does not know', () => {
    const view = hallViewOf('?window=2d&sort=luck&accepting=yes&operator=%3Cb%3E&offset=-1&more=1')
    expect(hallAddressQuery(view)).toBe('')
    expect(hallSent(view)).toEqual({ window: 'all', sort: 'days_live', limit: 50, offset: 0 })
  })
})
