import { expect, test } from 'vitest'
import { protectingSwitchWord, switchWord } from './switch-words.ts'

test.each(['1', 'true', 'Yes', ' on '])('%j turns a switch on', (text) => {
  expect(switchWord.parse(text)).toBe(true)
  expect(protectingSwitchWord.parse(text)).toBe(true)
})

test.each(['0', 'false', 'No', ' off '])('%j turns every switch off, protecting ones included', (text) => {
  expect(switchWord.parse(text)).toBe(false)
  expect(protectingSwitchWord.parse(text)).toBe(false)
})

test('an empty text turns a switch off, but leaves a protecting switch on', () => {
  expect(switchWord.parse('')).toBe(false)
  expect(protectingSwitchWord.parse('')).toBe(true)
})

test.each(['ture', 'live', '2', 'on off'])('every switch rejects %j', (text) => {
  expect(switchWord.safeParse(text).success).toBe(false)
  expect(protectingSwitchWord.safeParse(text).success).toBe(false)
})
