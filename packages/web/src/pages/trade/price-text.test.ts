import { expect, test } from 'vitest'
import { dollarsText, figureText, percentText } from './price-text.ts'

test('figures are cut and never rounded, and what is no figure is unknown', () => {
  expect(figureText('61234.5678', { digits: 2 })).toBe('61,234.56')
  expect(figureText('0.00001999')).toBe('0.00001999')
  expect(figureText('-0.001', { digits: 2 })).toBe('0')
  expect(figureText('-12.5')).toBe('−12.5')
  expect(figureText('3', { change: true })).toBe('+3')
  for (const text of [null, '', 'NaN', '1e5']) expect(figureText(text)).toBe('—')
})

test('a share is told in percent by its digits alone', () => {
  expect(percentText('0.0000125')).toBe('0.0012%')
  expect(percentText('-0.0000125', { change: true })).toBe('−0.0012%')
  expect(percentText('1.5')).toBe('150%')
  expect(percentText('0')).toBe('0%')
})

test('dollars are short, never more than they are, and what is no figure is unknown', () => {
  expect(dollarsText('18499999.9', 'en')).toBe('$18.4M')
  expect(dollarsText('2500000000', 'ko')).toBe('$25억')
  for (const text of [null, '', 'NaN']) expect(dollarsText(text, 'en')).toBe('—')
})
