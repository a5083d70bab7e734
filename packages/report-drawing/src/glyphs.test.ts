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
