import { addDays, dateFrom, easterOf, nthWeekday, SATURDAY, SUNDAY, weekdayOf, yearOf } from './dates.ts'
import { lunarDate, qingmingOf, springEquinoxOf, autumnEquinoxOf } from './sun-and-moon.ts'

/**
 * How the date of a day follows from the year. `plus` moves a date by days. `only` keeps it on these weekdays
 * (0 is Sunday), which comes before `observed`.
 */
export type DateRule = (
  | { readonly kind: 'fixed'; readonly month: number; readonly day: number }
  | { readonly kind: 'nth'; readonly month: number; readonly weekday: number; readonly nth: number }
  | { readonly kind: 'easter' }
  | { readonly kind: 'equinox'; readonly season: 'spring' | 'autumn' }
  | { readonly kind: 'qingming' }
  | LunarRule
  /** Days without a rule, such as elections. */
  | { readonly kind: 'listed'; readonly dates: readonly string[] }
  /** The last weekday from Monday to Friday that is not later than the day. */
  | { readonly kind: 'last-weekday'; readonly month: number; readonly day: number }
) & {
  readonly plus?: number
  readonly only?: readonly number[]
  readonly observed?: Observed
  readonly from?: number
}

/**
 * A day of the Chinese calendar, or of the Korean one (`dangi`). Published dates stand in `known`; for other years the
 * tables of ICU decide, which can be a day off when the moon is new around midnight.
 */
interface LunarRule {
  readonly kind: 'lunar'
  readonly calendar: 'chinese' | 'dangi'
  readonly month: number
  readonly day: number
  readonly known: readonly string[]
}

/** `nearest`: Saturday moves to Friday, Sunday to Monday. `monday`: Sunday moves to Monday, Saturday is lost. */
export type Observed = 'nearest' | 'monday'

/** Returns the dates of a rule that follow from this year; those before its first year are none. */
export function datesOf(rule: DateRule, year: number): string[] {
  if (rule.from !== undefined && year < rule.from) return []
  return plainDates(rule, year)
    .map((date) => addDays(date, rule.plus ?? 0))
    .filter((date) => rule.only === undefined || rule.only.includes(weekdayOf(date)))
    .flatMap((date) => observedDate(date, rule.observed))
}

function plainDates(rule: DateRule, year: number): readonly string[] {
  switch (rule.kind) {
    case 'fixed':
      return [dateFrom(year, rule.month, rule.day)]
    case 'nth':
      return [nthWeekday(year, rule.month, rule.weekday, rule.nth)]
    case 'easter':
      return [easterOf(year)]
    case 'equinox':
      return [rule.season === 'spring' ? springEquinoxOf(year) : autumnEquinoxOf(year)]
    case 'qingming':
      return [qingmingOf(year)]
    case 'lunar':
      return [rule.known.find((date) => yearOf(date) === year) ?? lunarDate(rule.calendar, year, rule.month, rule.day)]
    case 'listed':
      return rule.dates.filter((date) => yearOf(date) === year)
    case 'last-weekday':
      return [lastWeekday(dateFrom(year, rule.month, rule.day))]
  }
}

function observedDate(date: string, observed: Observed | undefined): string[] {
  const weekday = weekdayOf(date)
  if (observed === undefined) return [date]
  if (weekday === SUNDAY) return [addDays(date, 1)]
  if (weekday !== SATURDAY) return [date]
  return observed === 'nearest' ? [addDays(date, -1)] : []
}

function lastWeekday(date: string): string {
  const weekday = weekdayOf(date)
  return addDays(date, weekday === SUNDAY ? -2 : weekday === SATURDAY ? -1 : 0)
}
