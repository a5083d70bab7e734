const DAY_MS = 86_400_000

/** Returns the UTC day of an instant, YYYY-MM-DD. */
export function utcDayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** Returns the UTC day `days` after `day`. */
export function addDays(day: string, days: number): string {
  return utcDayOf(new Date(Date.parse(`${day}T00:00:00.000Z`) + days * DAY_MS))
}
