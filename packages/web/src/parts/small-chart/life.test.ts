import { describe, expect, it } from 'vitest'
import { daysOf, heightOf, lastDayOf, lastIndexOf, rangeOf, stepsOf } from './life.ts'

describe('small charts of mandates', () => {
  it('share a range with 100, every index and every stop line', () => {
    const range = rangeOf([{ from: '2026-10-01', values: [104, null, 90] }, null], [80, null])
    expect(range.low).toBeCloseTo(78.56)
    expect(range.high).toBeCloseTo(105.44)
    expect(rangeOf([])).toEqual({ low: 99.5, high: 100.5 })
  })

  it('put the highest index at the top', () => {
    expect(heightOf(100, { low: 50, high: 100 })).toBe(0)
    expect(heightOf(50, { low: 50, high: 100 })).toBe(1)
    expect(heightOf(10, { low: 50, high: 100 })).toBe(1)
  })

  it('draw a day without a rating as a gap', () => {
    const range = { low: 0, high: 100 }
    expect(stepsOf({ from: '2026-10-01', values: [100, 50, null, 0] }, range, 40, 10)).toBe('M0 0H10V5H20M30 10H40')
    expect(stepsOf({ from: '2026-10-01', values: [] }, range, 40, 10)).toBe('')
  })

  it('have a table of days, newest first, over the end of a month', () => {
    const series = { from: '2026-10-31', values: [100, null, 101.5] }
    expect(daysOf(series)).toEqual([
      { day: '2026-11-02', value: 101.5 },
      { day: '2026-11-01', value: null },
      { day: '2026-10-31', value: 100 },
    ])
    expect(lastDayOf(series)).toBe('2026-11-02')
    expect(lastIndexOf({ from: '2026-10-31', values: [100, null] })).toBe(100)
    expect(lastIndexOf({ from: '2026-10-31', values: [null] })).toBeNull()
  })
})
