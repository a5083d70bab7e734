/** Dates are local days, `YYYY-MM-DD`; arithmetic on them knows no zone. */

const DAY_MS = 86_400_000
export const SUNDAY = 0
export const SATURDAY = 6

const msOf = (date: string): number => Date.parse(`${date}T00:00:00Z`)
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Returns the date of year, month (1 to 12) and day, which may lie outside the month. */
export const dateFrom = (year: number, month: number, day: number): string => dateOf(Date.UTC(year, month - 1, day))

/** Returns the date so many days later. */
export const addDays = (date: string, days: number): string => dateOf(msOf(date) + days * DAY_MS)

/** Returns 0 for a Sunday to 6 for a Saturday. */
export const weekdayOf = (date: string): number => new Date(msOf(date)).getUTCDay()

export const isWeekend = (date: string): boolean => weekdayOf(date) === SUNDAY || weekdayOf(date) === SATURDAY

export const yearOf = (date: string): number => Number(date.slice(0, 4))

/** Returns the nth such weekday of a month; a negative n counts from the end of the month. */
export function nthWeekday(year: number, month: number, weekday: number, nth: number): string {
  if (nth > 0) {
    const first = dateFrom(year, month, 1)
    return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7)
  }
  const last = dateFrom(year, month + 1, 0)
  return addDays(last, -((weekdayOf(last) - weekday + 7) % 7) + (nth + 1) * 7)
}

/** Returns Easter Sunday of the Gregorian calendar (the algorithm of Meeus, Jones and Butcher). */
export function easterOf(year: number): string {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const rest = year % 100
  const skipped = Math.floor((8 * century + 13) / 25)
  const epact = (19 * golden + century - Math.floor(century / 4) - skipped + 15) % 30
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - epact - (rest % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451)
  const days = epact + toSunday - 7 * late + 114
  return dateFrom(year, Math.floor(days / 31), (days % 31) + 1)
}
