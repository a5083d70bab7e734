const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS

/** Returns Monday 00:00 UTC of the week of a moment. */
const mondayOf = (at: number): number => {
  const day = Math.floor(at / DAY_MS) * DAY_MS
  return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS
}

/** Returns the name of the ISO week of a moment, such as 2026-W47. The year of a week is that of its Thursday. */
export function weekAt(at: number): string {
  const monday = mondayOf(at)
  const year = new Date(monday + 3 * DAY_MS).getUTCFullYear()
  const number = (monday - mondayOf(Date.UTC(year, 0, 4))) / WEEK_MS + 1
  return `${year}-W${String(number).padStart(2, '0')}`
}

/** Returns the first moment of a named week; null if there is no such week. */
export function weekStart(name: string): number | null {
  const [, year, number] = /^(\d{4})-W(\d{2})$/.exec(name) ?? []
  if (year === undefined || number === undefined) return null
  const at = mondayOf(Date.UTC(Number(year), 0, 4)) + (Number(number) - 1) * WEEK_MS
  return weekAt(at) === name ? at : null
}

/** Returns the name of the week that lies some weeks from a named one; null if there is no such week. */
export function weekFrom(name: string, weeks: number): string | null {
  const start = weekStart(name)
  return start === null ? null : weekAt(start + weeks * WEEK_MS)
}
