import type { ExchangeCalendar, Holiday, Hours } from './calendar.ts'
import { addDays, dateFrom, isWeekend, SUNDAY, weekdayOf, yearOf } from './dates.ts'
import { datesOf } from './date-rules.ts'
import { instantOf, minutesOf } from './zoned.ts'

/** A stretch of trading, from `opensMs` up to `closesMs`, of the local day `date`. */
export interface Trading {
  readonly date: string
  readonly opensMs: number
  readonly closesMs: number
  readonly early: boolean
}

/** What a calendar says of a year. */
export interface TradingYear {
  /** In their order, without overlap. */
  readonly trading: readonly Trading[]
  /** Names of the closed days from Monday to Friday, by date. */
  readonly holidays: ReadonlyMap<string, string>
}

/** Returns the trading of all local days of a year, and its holidays. */
export function tradingYear(calendar: ExchangeCalendar, year: number): TradingYear {
  const holidays = holidaysOf(calendar, year)
  const special = new Map(
    calendar.specialHours.flatMap((day) => datesOf(day.on, year).map((date) => [date, day] as const)),
  )
  const trading: Trading[] = []
  for (let date = dateFrom(year, 1, 1); yearOf(date) === year; date = addDays(date, 1)) {
    if (isWeekend(date) || holidays.has(date)) continue
    const { hours, early } = special.get(date) ?? { hours: calendar.hours, early: false }
    trading.push(...hours.map((stretch) => tradingOf(date, stretch, early, calendar.timeZone)))
  }
  return { trading, holidays }
}

const tradingOf = (date: string, hours: Hours, early: boolean, timeZone: string): Trading => ({
  date,
  opensMs: instantOf(date, minutesOf(hours.opens), timeZone),
  closesMs: instantOf(date, minutesOf(hours.closes), timeZone),
  early,
})

/** No rule moves a holiday into another year. */
function holidaysOf(calendar: ExchangeCalendar, year: number): Map<string, string> {
  return new Map([...movedHolidays(calendar, year)].filter(([date]) => !isWeekend(date)))
}

function movedHolidays(calendar: ExchangeCalendar, year: number): Map<string, string> {
  const plain = calendar.holidays
    .flatMap((holiday) => datesOf(holiday.on, year).map((date) => ({ holiday, date })))
    .toSorted((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0))
  const taken = new Set(plain.map(({ date }) => date))
  const found = new Map<string, string>()
  for (const { holiday, date } of plain) {
    const meetsAnother = found.has(date)
    if (!meetsAnother) found.set(date, holiday.name)
    if (!moves(holiday, date, meetsAnother)) continue
    const next = nextFree(calendar, date, taken)
    taken.add(next)
    found.set(next, `${holiday.name} (observed)`)
  }
  if (calendar.bridges) addBridges(found)
  return found
}

function moves({ movesFrom }: Holiday, date: string, meetsAnother: boolean): boolean {
  if (movesFrom === undefined) return false
  return meetsAnother || (movesFrom === 'weekend' ? isWeekend(date) : weekdayOf(date) === SUNDAY)
}

function nextFree({ movesTo }: ExchangeCalendar, date: string, taken: ReadonlySet<string>): string {
  const isBusy = (day: string): boolean =>
    taken.has(day) || (movesTo === 'weekday' ? isWeekend(day) : weekdayOf(day) === SUNDAY)
  let next = addDays(date, 1)
  while (isBusy(next)) next = addDays(next, 1)
  return next
}

function addBridges(found: Map<string, string>): void {
  for (const date of found.keys()) {
    const between = addDays(date, 1)
    if (!found.has(between) && found.has(addDays(date, 2)) && weekdayOf(between) !== SUNDAY) {
      found.set(between, 'Day between two holidays')
    }
  }
}
