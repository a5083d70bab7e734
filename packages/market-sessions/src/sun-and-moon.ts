import { addDays, dateFrom } from './dates.ts'

/** Returns the day of the spring equinox in Japan, by the approximation for 1980 to 2099. */
export const springEquinoxOf = (year: number): string => dateFrom(year, 3, solarDay(year - 1980, 20.8431, 0.242194, 4))

/** Returns the day of the autumn equinox in Japan, by the approximation for 1980 to 2099. */
export const autumnEquinoxOf = (year: number): string => dateFrom(year, 9, solarDay(year - 1980, 23.2488, 0.242194, 4))

/** Returns the day of the solar term Qingming in China, by the approximation for 2000 to 2099. */
export const qingmingOf = (year: number): string => dateFrom(year, 4, solarDay(year - 2000, 4.81, 0.2422, 4))

function solarDay(years: number, first: number, drift: number, leap: number): number {
  return Math.floor(first + drift * years) - Math.floor(years / leap)
}

const lunarFormats = {
  chinese: new Intl.DateTimeFormat('en-u-ca-chinese', { timeZone: 'UTC', month: 'numeric', day: 'numeric' }),
  dangi: new Intl.DateTimeFormat('en-u-ca-dangi', { timeZone: 'UTC', month: 'numeric', day: 'numeric' }),
}

/** The first new year lies between 20 January and 21 February; a month has 29 or 30 days, and one month may come twice. */
const MONTH_DAYS_MIN = 29
const SEARCHED_DAYS = 80

/** Returns the date of a day of the lunar year that begins in this year; a month that comes twice counts once. */
export function lunarDate(calendar: 'chinese' | 'dangi', year: number, month: number, day: number): string {
  const earliest = addDays(dateFrom(year, 1, 20), (month - 1) * MONTH_DAYS_MIN + day - 1)
  for (let days = 0; days < SEARCHED_DAYS; days++) {
    const date = addDays(earliest, days)
    const parts = lunarFormats[calendar].formatToParts(Date.parse(`${date}T00:00:00Z`))
    const found = (type: string): string => parts.find((part) => part.type === type)?.value ?? ''
    if (found('month') === String(month) && found('day') === String(day)) return date
  }
  throw new RangeError(`no day ${day} of month ${month} in the ${calendar} year ${year}`)
}
