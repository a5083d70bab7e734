const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS

/** An ISO week in UTC: from its Monday, inclusive, to the next Monday, exclusive. */
export interface IsoWeek {
  readonly name: string
  readonly from: Date
  readonly to: Date
}

/** Returns Monday 00:00 UTC of the week of a time. */
const mondayOf = (at: number): number => {
  const day = Math.floor(at / DAY_MS) * DAY_MS
  return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS
}

/** Returns the ISO week of a time. The year of a week is that of its Thursday. */
export function weekAt(at: Date): IsoWeek {
  const from = mondayOf(at.getTime())
  const year = new Date(from + 3 * DAY_MS).getUTCFullYear()
  const number = (from - mondayOf(Date.UTC(year, 0, 4))) / WEEK_MS + 1
  return { name: `${year}-W${String(number).padStart(2, '0')}`, from: new Date(from), to: new Date(from + WEEK_MS) }
}

/** Returns the week of a name such as 2026-W47; null if the year has no such week. */
export function weekOf(name: string): IsoWeek | null {
  const [year = '', number = ''] = name.split('-W')
  const week = weekAt(new Date(mondayOf(Date.UTC(Number(year), 0, 4)) + (Number(number) - 1) * WEEK_MS))
  return week.name === name ? week : null
}
