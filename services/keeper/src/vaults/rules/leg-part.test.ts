import { expect, test } from 'vitest'
import { legPart, type LegAtVenue } from './leg-part.ts'

const books = { open: true, funded: 100n, returned: 0n }
const leg: LegAtVenue = { delivered: 100n, left: 0n, value: 130n, foreign: 20n, withheld: null }

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
  expect(legPart(ended, { ...taken, value: 0n })).toEqual({ worth: 0n, drawn: 30n, withheld: null })
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
