import { expect, test } from 'vitest'
import { dollarsText, figureText, percentText } from './price-text.ts'

const en = { language: 'en' } as const

test('figures are cut and never rounded, and what is no figure is unknown', () => {
  expect(figureText('61234.5678', { ...en, digits: 2 })).toBe('61\u00a0234.56')
  expect(figureText('0.00001999', en)).toBe('0.00001999')
  expect(figureText('-0.001', { ...en, digits: 2 })).toBe('0')
  expect(figureText('-12.5', { language: 'ko' })).toBe('−12.5')
  expect(figureText('3', { ...en, change: true })).toBe('+3')
  for (const text of [null, '', 'NaN', '1e5']) expect(figureText(text, en)).toBe('—')
})

test('a share is told in percent by its digits alone', () => {
  expect(percentText('0.0000125', en)).toBe('0.0012\u00a0%')
  expect(percentText('-0.0000125', { ...en, change: true })).toBe('−0.0012\u00a0%')
  expect(percentText('1.5', en)).toBe('150\u00a0%')
  expect(percentText('0', en)).toBe('0\u00a0%')
})

test('dollars are short, never more than they are, and what is no figure is unknown', () => {
  expect(dollarsText('18499999.9', 'en')).toBe('$18.4\u00a0m')
  expect(dollarsText('2500000000', 'ko')).toBe('$25억')
  for (const text of [null, '', 'NaN']) expect(dollarsText(text, 'en')).toBe('—')
})
