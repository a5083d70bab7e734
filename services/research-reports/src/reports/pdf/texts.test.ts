import { describe, expect, test } from 'vitest'
import { drawable, missingGlyphs } from '@svc/report-drawing/glyphs'
import { allTexts, wordsOf, type TextKey } from './texts.ts'

const placesOf = (text: string) =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).toSorted((a, b) => (a < b ? -1 : 1))

describe('texts of reports', () => {
  test.each(['regular', 'bold'] as const)('can all be drawn in %s', (weight) => {
    for (const texts of Object.values(allTexts))
      for (const [key, text] of Object.entries(texts)) expect(missingGlyphs(text, weight), key).toEqual([])
  })

  test('take the same values in both languages, and differ', () => {
    for (const key of Object.keys(allTexts.en) as TextKey[]) {
      expect(placesOf(allTexts.ko[key]), key).toEqual(placesOf(allTexts.en[key]))
      if (/[a-z]{4}/.test(allTexts.en[key].replaceAll(/\{\w+\}/g, '')))
        expect(allTexts.ko[key], key).not.toBe(allTexts.en[key])
    }
  })

  test('are never printed without a value', () => {
    expect(wordsOf('en')('page', { n: 1, of: 4 })).toBe('Page 1 of 4')
    expect(() => wordsOf('ko')('page', { n: 1 })).toThrow('needs "of"')
  })
})

test('a character that a font cannot draw becomes a question mark', () => {
  expect(drawable('a一한\u{1f680}₩', 'regular')).toBe('a?한?₩')
})
