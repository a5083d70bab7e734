import type { NumberLanguage } from '../../lib/money.ts'

const DAY_MS = 86_400_000

/** Returns true if a moment is a day or more after another one, so that its hour alone would be taken for today's. */
export const isAnotherDay = (time: string, from: number): boolean => Date.parse(time) - from >= DAY_MS

/** Returns when an exchange opens or closes, in UTC: the hour, and its day when that is a day or more after `from`. */
export function sessionTime(time: string, from: number, language: NumberLanguage): string {
  const day = isAnotherDay(time, from) ? ({ weekday: 'short', month: 'short', day: 'numeric' } as const) : {}
  const hour = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(language, { ...day, ...hour }).format(new Date(time))
}
