import type { Outlook } from '@svc/contracts/market-data/board'

const DAY_MS = 86_400_000
/** Least difference of the means for an outlook other than stable. */
const CHANGE_MIN = 0.25

/** Exponentially weighted means of the grade point average; `since` is the time of the first average. */
export interface GpaTrend {
  readonly day: number
  readonly week: number
  readonly since: number
  readonly at: number
}

const toward = (mean: number, value: number, elapsedMs: number, periodMs: number) =>
  mean + (value - mean) * (1 - Math.exp(-elapsedMs / periodMs))

/** Updates the means with a new grade point average; null changes nothing. Times in milliseconds. */
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

/** Returns the direction of the grade: worsening with an official warning or an open crisis, null with less than 24 hours of grades. */
export function outlookOf(trend: GpaTrend | null, warned: boolean, now: number): Outlook | null {
  if (warned) return 'worsening'
  if (trend === null || now - trend.since < DAY_MS) return null
  const change = trend.day - trend.week
  if (change >= CHANGE_MIN) return 'improving'
  return change <= -CHANGE_MIN ? 'worsening' : 'stable'
}
