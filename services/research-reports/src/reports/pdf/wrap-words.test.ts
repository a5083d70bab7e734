import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutToWidth, wrapWords } from './wrap-words.ts'

/** Every sign has the width 1. */
const measure = (piece: string) => [...piece].length

describe('wrapping', () => {
  test('breaks Korean between words, never between the syllables of one', () => {
    expect(wrapWords('상장 폐지 위험 순위입니다', 6, measure)).toEqual(['상장 폐지', '위험', '순위입니다'])
  })

  test('breaks a word only where it is wider than a line', () => {
    expect(wrapWords('ab 0123456789', 4, measure)).toEqual(['ab', '0123', '4567', '89'])
  })

  test('keeps every character, and every line within the width', () => {
    const text = fc
      .array(fc.constantFrom('a', '한', '글', ' ', '₩', 'long'), { maxLength: 60 })
      .map((all) => all.join(''))
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20 }), (words, width) => {
        const lines = wrapWords(words, width, measure)
        expect(lines.join('').replaceAll(' ', '')).toBe(words.replaceAll(' ', ''))
        for (const line of lines) expect(measure(line)).toBeLessThanOrEqual(width)
      }),
    )
  })
})

test('a text that is cut ends with an ellipsis and fits', () => {
  expect(cutToWidth('abcdef', 6, measure)).toBe('abcdef')
  expect(cutToWidth('abcdefg', 6, measure)).toBe('abcde…')
})
