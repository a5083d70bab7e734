import { expect, test } from 'vitest'
import { label, withoutUnfit } from './label.ts'

const name = label(80)

test.each([
  ['a family of emoji', '👨‍👩‍👧‍👦 fund'],
  ['an emoji with a skin tone', '👩🏽‍🚀'],
  ['an emoji with a variation selector', '🏳️‍🌈 ❤️‍🔥'],
  ['a Persian word', 'می‌خواهم'],
  ['a Hindi word', 'क्‍ष and क्‌ष'],
  ['a Sinhala word', 'ශ්‍රී ලංකා'],
  ['a Malayalam word', 'അവന്‍റെ'],
  ['other words', 'Weekend basis — 週末, Ünïcode ½'],
])('a label with %s is accepted unchanged', (_what, text) => {
  expect(name.parse(text)).toBe(text)
  expect(withoutUnfit(text)).toBe(text)
})

test.each([
  ['a joiner between Latin letters', 'a\u200Db', 'ab'],
  ['a non-joiner between Latin letters', 'pay\u200Cpal', 'paypal'],
  ['a joiner at the start', '\u200Dक', 'क'],
  ['a joiner at the end', '👩\u200D', '👩'],
  ['two joiners', '👩\u200D\u200D👩', '👩👩'],
  ['a non-joiner between emoji', '👩\u200C👩', '👩👩'],
  ['an emoji joined to a letter', '👩\u200Da', '👩a'],
  ['a bidi override', 'a\u202Eb', 'ab'],
  ['a bidi isolate inside a Persian word', 'می\u2066خواهم', 'میخواهم'],
  ['a zero-width space', 'a\u200Bb', 'ab'],
  ['a byte order mark', '\uFEFFa', 'a'],
  ['a line break', 'a\nb', 'ab'],
  ['a line separator', 'a\u2028b', 'ab'],
])('%s is rejected in a label, and removed from a name that is parsed from a note', (_what, text, without) => {
  expect(name.safeParse(text).success).toBe(false)
  expect(withoutUnfit(text)).toBe(without)
})

test.each([
  ['joiners', '\u200D\u200C'],
  ['a variation selector', '\uFE0F'],
  ['a Hangul filler', '\u3164'],
  ['a Braille blank', '\u2800'],
  ['a mark without a letter', '\u0301'],
  ['nothing', ''],
  ['half of a surrogate pair', '\uD83D'],
])('a label of %s alone is rejected', (_what, text) => {
  expect(name.safeParse(text).success).toBe(false)
})
