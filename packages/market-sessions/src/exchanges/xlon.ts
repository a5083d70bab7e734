import type { ExchangeCalendar, Holiday, Hours } from '../calendar.ts'

const untilHalfPastTwelve: readonly Hours[] = [{ opens: '08:00', closes: '12:30' }]
const monday = (name: string, month: number, nth: number): Holiday => ({
  name,
  on: { kind: 'nth', month, weekday: 1, nth },
})
const moving = (name: string, month: number, day: number): Holiday => ({
  name,
  on: { kind: 'fixed', month, day },
  movesFrom: 'weekend',
})

/** London Stock Exchange, continuous trading. It is closed on the bank holidays of England. */
export const xlon: ExchangeCalendar = {
  title: 'London Stock Exchange',
  timeZone: 'Europe/London',
  hours: [{ opens: '08:00', closes: '16:30' }],
  holidays: [
    moving("New Year's Day", 1, 1),
    { name: 'Good Friday', on: { kind: 'easter', plus: -2 } },
    { name: 'Easter Monday', on: { kind: 'easter', plus: 1 } },
    monday('Early May Bank Holiday', 5, 1),
    monday('Spring Bank Holiday', 5, -1),
    monday('Summer Bank Holiday', 8, -1),
    moving('Christmas Day', 12, 25),
    moving('Boxing Day', 12, 26),
  ],
  specialHours: [
    {
      name: 'Last trading day before Christmas',
      on: { kind: 'last-weekday', month: 12, day: 24 },
      hours: untilHalfPastTwelve,
      early: true,
    },
    {
      name: 'Last trading day of the year',
      on: { kind: 'last-weekday', month: 12, day: 31 },
      hours: untilHalfPastTwelve,
      early: true,
    },
  ],
  movesTo: 'weekday',
  bridges: false,
  sources: [
    {
      title: 'date-holidays 3.37.0, GB.yaml: the bank holidays of England of 2026',
      url: 'https://unpkg.com/date-holidays@3.37.0/data/countries/GB.yaml',
      covers: '2026-01-01 to 2026-12-31',
    },
    {
      title:
        'holidays 0.102, financial/london_stock_exchange.py, after the business days of the exchange: closing at 12:30',
      url: 'https://github.com/vacanza/holidays/blob/dev/holidays/financial/london_stock_exchange.py',
      covers: '2026-12-24, 2026-12-31',
    },
  ],
  published: { from: '2026-01-01', until: '2026-12-31' },
  unsourced: [],
}
