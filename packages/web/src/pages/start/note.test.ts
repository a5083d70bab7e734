import fc from 'fast-check'
import { expect, test } from 'vitest'
import { notePieces } from './note.ts'

test('words that set a limit are marked with it', () => {
  const pieces = notePieces('500 USDC, at most 60 per trade', [
    { field: 'budget_usdc', words: '500 USDC' },
    { field: 'per_tx_cap_usdc', words: '60 per trade' },
    { field: 'fee_bps', words: null },
  ])
  expect(pieces).toEqual([
    { text: '500 USDC', field: 'budget_usdc' },
    { text: ', at most ', field: null },
    { text: '60 per trade', field: 'per_tx_cap_usdc' },
  ])
})

test('the same words twice are marked in two places, and overlapping words once', () => {
  const twice = notePieces('50 and 50', [
    { field: 'a', words: '50' },
    { field: 'b', words: '50' },
  ])
  expect(twice.map(({ field }) => field)).toEqual(['a', null, 'b'])
  const over = notePieces('50 per trade', [
    { field: 'a', words: '50 per trade' },
    { field: 'b', words: 'per trade' },
  ])
  expect(over).toEqual([{ text: '50 per trade', field: 'a' }])
})

test('no letter of the note is lost, whatever the words', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), (note, words) => {
      const noted = words.map((text, at) => ({ field: String(at), words: text }))
      expect(
        notePieces(note, noted)
          .map(({ text }) => text)
          .join(''),
      ).toBe(note)
    }),
  )
})
