import { expect, test } from 'vitest'
import { filenameOf, reportIdOf, utcMonth } from './report.ts'

test('a report has one id for the same account and inputs, and another for any other', () => {
  expect(reportIdOf(7, '{"a":1}')).toBe(reportIdOf(7, '{"a":1}'))
  const ids = [reportIdOf(7, '{"a":1}'), reportIdOf(8, '{"a":1}'), reportIdOf(7, '{"a":2}'), reportIdOf(77, '')]
  expect(new Set(ids).size).toBe(4)
  expect(ids.every((id) => /^rpt_[0-9a-f]{32}$/.test(id))).toBe(true)
})

test('a file name contains no character with a meaning in a header or a file system', () => {
  const report = { exchange: 'binance', lang: 'ko', version: 'v2', created_at: '2026-11-21T08:37:00.000Z' }
  expect(filenameOf({ ...report, symbol: 'FTT/USDT' })).toBe('binance-FTT-USDT-2026-11-21-v2-ko.pdf')
  expect(filenameOf({ ...report, symbol: '$A.B_-C/U$' })).toBe('binance-A.B_-C-U-2026-11-21-v2-ko.pdf')
})

test('a month begins and ends in UTC', () => {
  const month = utcMonth(new Date('2026-12-31T23:59:59.999Z'))
  expect(month.start.toISOString()).toBe('2026-12-01T00:00:00.000Z')
  expect(month.end.toISOString()).toBe('2027-01-01T00:00:00.000Z')
})
