const MINUTE_MS = 60_000

/** One formatter a zone; a calendar names its zones, so that there are few. */
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formatters.set(timeZone, made)
  return made
}

/** Returns what a clock in the zone shows, as `YYYY-MM-DD HH:MM:SS`. */
const wallClock = (ms: number, timeZone: string): string => formatterOf(timeZone).format(ms)

/** Returns the local date in the zone. */
export const localDateOf = (ms: number, timeZone: string): string => wallClock(ms, timeZone).slice(0, 10)

/** Returns how far the zone is ahead of UTC at a time, in ms. */
function offsetAt(ms: number, timeZone: string): number {
  const seconds = Math.floor(ms / 1000) * 1000
  return Date.parse(`${wallClock(seconds, timeZone).replace(' ', 'T')}Z`) - seconds
}

/** Returns the time, in ms, at which a clock in the zone shows so many minutes after the midnight that begins the date. */
export function instantOf(date: string, minutes: number, timeZone: string): number {
  const local = Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE_MS
  const guess = local - offsetAt(local, timeZone)
  return local - offsetAt(guess, timeZone)
}

/** Returns the minutes of `HH:MM`; with a minus they lie before midnight. */
export function minutesOf(time: string): number {
  const [hours = '0', minutes = '0'] = time.replace('-', '').split(':')
  const count = Number(hours) * 60 + Number(minutes)
  return time.startsWith('-') ? -count : count
}
