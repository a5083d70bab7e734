/** When an owner wants alerts sent, in minutes of the day in the owner's time zone. */
export interface AlertTimes {
  readonly timeZone: string
  /** Includes midnight if `from` is after `to`. */
  readonly quiet: { readonly from: number; readonly to: number } | null
  /** When the alerts of a day are sent together; null sends each separately. */
  readonly digestAt: number | null
}

/** Times of an owner that has not set any. */
export const atOnce: AlertTimes = { timeZone: 'UTC', quiet: null, digestAt: null }

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440

/**
 * Returns when an alert of now is sent: a critical alert at once, any other after the quiet hours and with the next digest.
 * An alert whose request would have ended by then does not wait for the digest.
 */
export function dueAt(
  { severity, endsAt }: { readonly severity: string; readonly endsAt: Date | null },
  now: Date,
  times: AlertTimes,
): Date {
  if (severity === 'critical') return now
  const awake = afterQuiet(now, times)
  if (times.digestAt === null) return awake
  const digest = afterQuiet(nextAt(times.digestAt, now, times.timeZone), times)
  return endsAt !== null && endsAt <= digest ? awake : digest
}

/** Returns the time, or the end of the quiet hours around it. */
export function afterQuiet(at: Date, { quiet, timeZone }: AlertTimes): Date {
  if (quiet === null) return at
  const minute = minuteOf(at, timeZone)
  const { from, to } = quiet
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to
  return isQuiet ? nextAt(to, at, timeZone) : at
}

/** Returns the first time from `now` at which a clock of the zone shows this minute of the day. */
function nextAt(minute: number, now: Date, timeZone: string): Date {
  const base = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS
  const ahead = (minute - minuteOf(now, timeZone) + DAY_MINUTES) % DAY_MINUTES
  const first = base + ahead * MINUTE_MS
  const found = first < now.getTime() ? first + DAY_MINUTES * MINUTE_MS : first
  // The zone may change its clocks in between.
  const off = minute - minuteOf(new Date(found), timeZone)
  const shift = off > DAY_MINUTES / 2 ? off - DAY_MINUTES : off < -DAY_MINUTES / 2 ? off + DAY_MINUTES : off
  return new Date(Math.max(found + shift * MINUTE_MS, now.getTime()))
}

function minuteOf(at: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' })
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  return (parts.get('hour') ?? 0) * 60 + (parts.get('minute') ?? 0)
}

/** Returns the minute of the day of a text such as 07:30. */
export const minuteOfText = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
export const textOfMinute = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
