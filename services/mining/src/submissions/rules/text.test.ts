import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textProblem } from './text.ts'

describe('text of a value', () => {
  it.each([
    ['lone surrogate', 'a\ud800b'],
    ['NUL', 'a\u0000b'],
    ['line break', 'a\nb'],
    ['bidi override', 'abc\u202edef'],
    ['bidi isolate', 'abc\u2066def'],
    ['zero-width space', 'ab\u200bc'],
    ['byte order mark', '\ufeffabc'],
    ['line separator', 'a\u2028b'],
    ['noncharacter', 'a\uffffb'],
    ['private use', 'a\ue000b'],
    ['decomposed letter', 'Zu\u0308rich'],
    ['leading space', ' a'],
    ['empty', ''],
  ])('refuses %s', (_name, value) => {
    expect(textProblem(value)).not.toBeNull()
  })

  it.each(['Zürich', '株式会社', 'Binance USD (BUSD) – 4 years', '🍒'])('accepts %s', (value) => {
    expect(textProblem(value)).toBeNull()
  })

  it('refuses every text with a control character, wherever it stands', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('\u0000', '\u0007', '\u001b', '\u007f', '\u0085', '\u202a', '\u2069'),
        fc.string(),
        (before, odd, after) => {
          expect(textProblem(`${before}${odd}${after}`)).not.toBeNull()
        },
      ),
    )
  })
})
