import { describe, expect, it } from 'vitest'
import { moveTrend, outlookOf, type GpaTrend } from './outlook.ts'

const HOUR = 3_600_000
const STEP = 300_000

/** The trend after grades held for the given hours, computed every five minutes. */
function after(...held: readonly (readonly [gpa: number | null, hours: number])[]) {
  let trend: GpaTrend | null = null
  let now = 0
  for (const [gpa, hours] of held)
    for (const end = now + hours * HOUR; now < end; now += STEP) trend = moveTrend(trend, gpa, now)
  return { trend, now }
}
const outlookAfter = (...held: readonly (readonly [number | null, number])[]) => {
  const { trend, now } = after(...held)
  return outlookOf(trend, false, now)
}

describe('outlook', () => {
  it('is null with less than 24 hours of grades', () => {
    expect(outlookOf(null, false, 0)).toBeNull()
    expect(outlookAfter([3, 23.9])).toBeNull()
    expect(outlookAfter([3, 24.1])).toBe('stable')
  })

  it('follows a lasting change of the grade and returns to stable', () => {
    expect(outlookAfter([3, 200], [2, 24])).toBe('worsening')
    expect(outlookAfter([2, 200], [3, 24])).toBe('improving')
    expect(outlookAfter([3, 200], [2, 2])).toBe('stable')
    expect(outlookAfter([3, 200], [2, 24 * 21])).toBe('stable')
  })

  it('is worsening with any official warning, however good or new the grade is', () => {
    expect(outlookOf(after([4, 200]).trend, true, 200 * HOUR)).toBe('worsening')
    expect(outlookOf(null, true, 0)).toBe('worsening')
  })

  it('does not change during hours without a grade', () => {
    const { trend } = after([3, 48])
    expect(moveTrend(trend, null, 100 * HOUR)).toEqual(trend)
  })
})
