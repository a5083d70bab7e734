import { expect, test } from 'vitest'
import { protectingSwitchWord, switchWord } from './switch-words.ts'

test.each(['1', 'true', 'Yes', ' on '])('%j turns a switch on', (text) => {
  expect(switchWord.parse(text)).toBe(true)
  expect(protectingSwitchWord.parse(text)).toBe(true)
})

test.each(['0', 'false', 'No', ' off '])('%j turns a switch off, also one that protects', (text) => {
  expect(switchWord.parse(text)).toBe(false)
  expect(protectingSwitchWord.parse(text)).toBe(false)
})

test('an empty text turns a switch off, but not one that protects', () => {
  expect(switchWord.parse('')).toBe(false)
  expect(protectingSwitchWord.parse('')).toBe(true)
})

test.each(['ture', 'live', '2', 'on off'])('%j is refused by every switch', (text) => {
  expect(switchWord.safeParse(text).success).toBe(false)
  expect(protectingSwitchWord.safeParse(text).success).toBe(false)
})
