import { expect, test } from 'vitest'
import { figureText, percentText, shortText } from './price-text.ts'

const en = { language: 'en' } as const

test('figures are cut and never rounded, and what is no figure is unknown', () => {
  expect(figureText('61234.5678', { ...en, digits: 2 })).toBe('61\u202f234.56')
  expect(figureText('0.00001999', en)).toBe('0.00001999')
  expect(figureText('-0.001', { ...en, digits: 2 })).toBe('0')
  expect(figureText('-12.5', { language: 'ko' })).toBe('−12.5')
  expect(figureText('3', { ...en, change: true })).toBe('+3')
  for (const text of [null, '', 'NaN', '1e5']) expect(figureText(text, en)).toBe('—')
})

test('a share is told in percent by its digits alone', () => {
  expect(percentText('0.0000125', en)).toBe('0.0012 %')
  expect(percentText('-0.0000125', { ...en, change: true })).toBe('−0.0012 %')
  expect(percentText('1.5', en)).toBe('150 %')
  expect(percentText('0', en)).toBe('0 %')
})

test('large figures are short, and never larger than they are', () => {
  expect(shortText('18499999.9')).toBe('18.4M')
  expect(shortText('999')).toBe('999')
  expect(shortText('1000')).toBe('1k')
  expect(shortText('2500000000')).toBe('2.50B')
  expect(shortText(null)).toBe('—')
})
