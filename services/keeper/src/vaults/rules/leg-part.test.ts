import fc from 'fast-check'
import { expect, test } from 'vitest'
import { legPart, type LegAtVenue } from './leg-part.ts'

const books = { open: true, funded: 100n, returned: 0n }
const leg: LegAtVenue = { delivered: 100n, left: 0n, value: 130n, foreign: 20n, endedOwed: 0n, withheld: null }

test('a leg adds its account without foreign money, and money under way once', () => {
  expect(legPart(books, leg)).toEqual({ worth: 110n, drawn: 0n, withheld: null })
  expect(legPart({ ...books, funded: 150n }, leg)).toEqual({ worth: 160n, drawn: 0n, withheld: null })
  expect(legPart(books, { ...leg, left: 30n, value: 100n })).toEqual({ worth: 110n, drawn: 0n, withheld: null })
  expect(legPart({ ...books, returned: 30n }, { ...leg, left: 30n, value: 100n })).toEqual({
    worth: 80n,
    drawn: 0n,
    withheld: null,
  })
})

test('money at the venue that no vault paid, and a loss above the leg, add nothing', () => {
  expect(legPart({ ...books, funded: 0n }, leg)).toEqual({ worth: 10n, drawn: 0n, withheld: null })
  expect(legPart({ ...books, funded: 0n }, { ...leg, foreign: 120n })).toEqual({ worth: 0n, drawn: 0n, withheld: null })
  expect(legPart(books, { ...leg, value: -5n })).toEqual({ worth: 0n, drawn: 0n, withheld: null })
})

test('leg money that the owner took out of the account is gone from the worth, and stands beside it', () => {
  const taken = { ...leg, value: 70n, foreign: -40n }
  expect(legPart(books, taken)).toEqual({ worth: 70n, drawn: 40n, withheld: null })
  const ended = { open: false, funded: 100n, returned: 70n }
  expect(legPart(ended, { ...taken, value: 0n, endedOwed: 40n })).toEqual({ worth: 0n, drawn: 40n, withheld: null })
})

test('a leg that ended adds nothing, whatever is left in the account', () => {
  expect(legPart({ open: false, funded: 100n, returned: 95n }, leg)).toEqual({ worth: 0n, drawn: 0n, withheld: null })
})

test('an unknown worth of an open leg is withheld with its reason', () => {
  expect(legPart(books, { ...leg, withheld: 'leg_transfer_stuck' })).toEqual({
    worth: null,
    drawn: null,
    withheld: 'leg_transfer_stuck',
  })
  expect(legPart(books, { ...leg, value: null })).toEqual({ worth: null, drawn: null, withheld: 'leg_reading_missing' })
  expect(legPart(books, 'unreadable')).toEqual({ worth: null, drawn: null, withheld: 'leg_unreadable' })
  expect(legPart(books, null)).toEqual({ worth: null, drawn: null, withheld: 'leg_unknown' })
  expect(legPart({ open: false, funded: 0n, returned: 0n }, 'unreadable')).toEqual({
    worth: 0n,
    drawn: 0n,
    withheld: null,
  })
})

/** What the Hall rates: the worth with what the owner drew. */
const rated = (part: ReturnType<typeof legPart>) => (part.worth ?? 0n) + (part.drawn ?? 0n)

test('whatever the owner moves out and in, what is rated changes by trading alone, before, between and after', () => {
  const won = fc.bigInt(-10n, 10n)
  const moved = fc.bigInt(-60n, 60n)
  fc.assert(
    fc.property(won, fc.array(fc.tuple(moved, won), { maxLength: 5 }), (first, steps) => {
      let { value, foreign } = { value: 120n + first, foreign: 20n }
      let made = first
      for (const [flow, result] of steps) {
        value += flow + result
        foreign += flow
        made += result
        // Only what the venue holds can be moved away.
        fc.pre(value >= 0n && 100n + made >= 0n)
        expect(rated(legPart(books, { ...leg, value, foreign }))).toBe(100n + made)
      }
    }),
  )
})

test('the end of a leg changes nothing of what is rated, whoever holds what it made', () => {
  // 100 are out, the leg made 50, the owner moved 40 beyond own money away: the vault gets back what it has out.
  const before = legPart(books, { ...leg, value: 110n, foreign: -40n })
  const ended = legPart(
    { open: false, funded: 100n, returned: 100n },
    { ...leg, value: 110n, foreign: -40n, endedOwed: 50n },
  )
  expect(rated(before)).toBe(150n)
  expect(100n + rated(ended)).toBe(150n)
})
