const bucketMinutes = 10
const bucketsMax = 144

/** Fewer buckets (six hours) are not enough for a baseline. */
const bucketsMin = 36

/**
 * A day of one-minute values as at most 144 summaries of ten minutes, so that thousands of markets fit in memory. The
 * 24-hour median is the median of the ten-minute medians.
 */
export interface RollingDay {
  readonly summary: 'median' | 'mean'
  readonly bucket: number
  /** Values of the current ten minutes. */
  readonly open: readonly number[]
  /** Oldest first; `buckets[i]` is the number of the ten minutes of `values[i]`. */
  readonly buckets: readonly number[]
  readonly values: readonly number[]
  /** Median or mean of the completed ten minutes; null with less than six hours. */
  readonly baseline: number | null
}

export const emptyDay = (summary: RollingDay['summary']): RollingDay => ({
  summary,
  bucket: 0,
  open: [],
  buckets: [],
  values: [],
  baseline: null,
})

/** Adds the value of a minute; null changes nothing. Minutes must not decrease. O(1) except once in ten minutes. */
export function addToDay(day: RollingDay, minute: number, value: number | null): RollingDay {
  if (value === null) return day
  const bucket = Math.floor(minute / bucketMinutes)
  if (bucket === day.bucket) return { ...day, open: [...day.open.slice(1 - bucketMinutes), value] }
  return { ...closeBucket(day, bucket), bucket, open: [value] }
}

function closeBucket(day: RollingDay, now: number): RollingDay {
  const summarize = day.summary === 'median' ? medianOf : meanOf
  const last = summarize(day.open)
  const buckets = last === null ? day.buckets : [...day.buckets, day.bucket]
  const values = last === null ? day.values : [...day.values, last]
  const old = buckets.filter((bucket) => bucket < now - bucketsMax).length
  const recent = values.slice(old)
  return {
    ...day,
    buckets: buckets.slice(old),
    values: recent,
    baseline: recent.length < bucketsMin ? null : summarize(recent),
  }
}

const meanOf = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** Returns the median; null for no values. */
export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const low = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0
  const high = sorted[Math.floor(sorted.length / 2)] ?? 0
  return (low + high) / 2
}
