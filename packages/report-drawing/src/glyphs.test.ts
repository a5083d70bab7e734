import { reportFonts } from '@svc/report-fonts'
import { openSync } from 'fontkit'
import { expect, test } from 'vitest'
import { drawable, missingGlyphs } from './glyphs.ts'

test('both weights have the same glyphs', () => {
  const [regular, bold] = (['regular', 'bold'] as const).map((weight) => {
    const font = openSync(reportFonts[weight])
    return 'characterSet' in font ? font.characterSet.toSorted((one, other) => one - other) : []
  })
  expect(regular?.length).toBeGreaterThan(10_000)
  expect(bold).toEqual(regular)
})

test('a character without a glyph becomes a question mark, and no other character does', () => {
  expect(drawable('é ₩ ± → ~ 가', 'regular')).toBe('é ₩ ± → ~ 가')
  expect(drawable('a\u{1F680}b', 'bold')).toBe('a?b')
  expect(missingGlyphs('a\u{1F680}b', 'bold')).toEqual(['\u{1F680}'])
})

test('what nobody sees becomes a question mark: control characters, bidirectional marks, zero width, fillers, soft hyphens', () => {
  const unseen = [
    '\u0000\u0007\u001B\u007F\u0085\u009B',
    '\n\r\t\u2028\u2029',
    '\u061C\u200E\u200F\u202A\u202D\u202E\u2066\u2069',
    '\u00AD\u034F\u200B\u200C\u200D\u2060\uFEFF\uFE0F',
    '\u115F\u1160\u3164\uFFA0',
    '\u{E0001}\u{E0061}',
    '\uD800',
  ].flatMap((text) => [...text])
  for (const weight of ['regular', 'bold'] as const)
    expect(unseen.filter((sign) => drawable(`a${sign}b`, weight) !== 'a?b')).toEqual([])
})
