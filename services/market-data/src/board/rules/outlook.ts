import type { Outlook } from '@svc/contracts/market-data/board'

const DAY_MS = 86_400_000
/** Difference of the averages from which the outlook is not stable. */
const CHANGE_MIN = 0.25

/** Exponentially weighted means of the grade point average, and since when there is one. */
export interface GpaTrend {
  readonly day: number
  readonly week: number
  readonly since: number
  readonly at: number
}

const toward = (mean: number, value: number, elapsedMs: number, periodMs: number) =>
  mean + (value - mean) * (1 - Math.exp(-elapsedMs / periodMs))

/** Moves the means on to a new grade point average; an unknown one leaves them as they are. Times in milliseconds. */
export function moveTrend(before: GpaTrend | null, gpa: number | null, now: number): GpaTrend | null {
  if (gpa === null) return before
  if (before === null) return { day: gpa, week: gpa, since: now, at: now }
  const elapsed = Math.max(0, now - before.at)
  return {
    day: toward(before.day, gpa, elapsed, DAY_MS),
    week: toward(before.week, gpa, elapsed, 7 * DAY_MS),
    since: before.since,
    at: now,
  }
}

/** Where the grade is going. An official warning or an open crisis makes it worsening; under 24 hours of grades it is unknown. */
export function outlookOf(trend: GpaTrend | null, warned: boolean, now: number): Outlook | null {
  if (warned) return 'worsening'
  if (trend === null || now - trend.since < DAY_MS) return null
  const change = trend.day - trend.week
  if (change >= CHANGE_MIN) return 'improving'
  return change <= -CHANGE_MIN ? 'worsening' : 'stable'
}
