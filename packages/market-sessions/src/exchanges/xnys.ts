import type { ExchangeCalendar, Holiday, Hours, SpecialHours } from '../calendar.ts'

const THURSDAY = 4
const untilOne: readonly Hours[] = [{ opens: '09:30', closes: '13:00' }]

/** Days on which the stock exchanges of the United States are closed. */
export const stockHolidays: readonly Holiday[] = [
  { name: "New Year's Day", on: { kind: 'fixed', month: 1, day: 1, observed: 'monday' } },
  { name: 'Martin Luther King, Jr. Day', on: { kind: 'nth', month: 1, weekday: 1, nth: 3 } },
  { name: "Washington's Birthday", on: { kind: 'nth', month: 2, weekday: 1, nth: 3 } },
  { name: 'Good Friday', on: { kind: 'easter', plus: -2 } },
  { name: 'Memorial Day', on: { kind: 'nth', month: 5, weekday: 1, nth: -1 } },
  { name: 'Juneteenth', on: { kind: 'fixed', month: 6, day: 19, observed: 'nearest', from: 2022 } },
  { name: 'Independence Day', on: { kind: 'fixed', month: 7, day: 4, observed: 'nearest' } },
  { name: 'Labor Day', on: { kind: 'nth', month: 9, weekday: 1, nth: 1 } },
  { name: 'Thanksgiving Day', on: { kind: 'nth', month: 11, weekday: THURSDAY, nth: 4 } },
  { name: 'Christmas Day', on: { kind: 'fixed', month: 12, day: 25, observed: 'nearest' } },
]

/** Days that end at 13:00. 3 July and 24 December on a Friday are the observed holidays. */
export const stockEarlyCloses: readonly SpecialHours[] = [
  {
    name: 'Eve of Independence Day',
    on: { kind: 'fixed', month: 7, day: 3, only: [1, 2, 3, 4] },
    hours: untilOne,
    early: true,
  },
  {
    name: 'Day after Thanksgiving',
    on: { kind: 'nth', month: 11, weekday: THURSDAY, nth: 4, plus: 1 },
    hours: untilOne,
    early: true,
  },
  {
    name: 'Christmas Eve',
    on: { kind: 'fixed', month: 12, day: 24, only: [1, 2, 3, 4] },
    hours: untilOne,
    early: true,
  },
]

export const xnys: ExchangeCalendar = {
  title: 'New York Stock Exchange',
  timeZone: 'America/New_York',
  hours: [{ opens: '09:30', closes: '16:00' }],
  holidays: stockHolidays,
  specialHours: stockEarlyCloses,
  movesTo: 'weekday',
  bridges: false,
  sources: [
    {
      title: 'NYSE Group Announces 2026, 2027 and 2028 Holiday and Early Closings Calendar (23 December 2025)',
      url: 'https://mondovisione.com/media-and-resources/news/nyse-group-announces-2026-2027-and-2028-holiday-and-early-closings-calendar-20251223/',
      covers: '2026-01-01 to 2028-12-31',
    },
  ],
  published: { from: '2026-01-01', until: '2028-12-31' },
  unsourced: [],
}
