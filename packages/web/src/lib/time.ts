const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400
/** From this age on, a day says more than a distance. */
const WEEK = 7 * DAY

/** How far a moment is from now, in the largest unit that fits; null from a week on. */
export type Distance = { readonly unit: 'now' | 'seconds' | 'minutes' | 'hours' | 'days'; readonly n: number } | null

/** Returns the distance between two moments in milliseconds since 1970, whichever comes first. */
export const distanceOf = (fromMs: number, toMs: number): Distance =>
  Math.abs(toMs - fromMs) >= WEEK * 1000 ? null : durationOf(fromMs, toMs)

/** Returns how long lies between two moments in milliseconds since 1970, in the largest unit that fits, at most days. */
export function durationOf(fromMs: number, toMs: number): NonNullable<Distance> {
  const seconds = Math.floor(Math.abs(toMs - fromMs) / 1000)
  if (seconds < 5) return { unit: 'now', n: 0 }
  if (seconds < MINUTE) return { unit: 'seconds', n: seconds }
  if (seconds < HOUR) return { unit: 'minutes', n: Math.floor(seconds / MINUTE) }
  if (seconds < DAY) return { unit: 'hours', n: Math.floor(seconds / HOUR) }
  return { unit: 'days', n: Math.floor(seconds / DAY) }
}

/** Returns a moment as UTC to read: `2026-11-22 02:47:11 UTC`. Contracts count by this clock. */
export const utcText = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`

/** Returns the UTC day of a moment: `2026-11-22`. */
export const utcDate = (time: string): string => time.slice(0, 10)
