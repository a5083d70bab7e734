import type { ExchangeCalendar, Holiday } from '../calendar.ts'

const FRIDAY = 5
/** 1 January of the Korean calendar; 2027 is a day later than in China. */
const seollal = { kind: 'lunar', calendar: 'dangi', month: 1, day: 1, known: ['2026-02-17', '2027-02-07'] } as const
const chuseok = { kind: 'lunar', calendar: 'dangi', month: 8, day: 15, known: ['2026-09-25', '2027-09-15'] } as const

const threeDays = (name: string, on: typeof seollal | typeof chuseok): Holiday[] =>
  [-1, 0, 1].map((plus) => ({ name, on: { ...on, plus }, movesFrom: 'sunday' }))

/** Korea Exchange, stocks. Extended sessions before and after the regular one are left out. */
export const xkrx: ExchangeCalendar = {
  title: 'Korea Exchange',
  timeZone: 'Asia/Seoul',
  hours: [{ opens: '09:00', closes: '15:30' }],
  holidays: [
    { name: "New Year's Day", on: { kind: 'fixed', month: 1, day: 1 } },
    ...threeDays('Seollal', seollal),
    { name: 'Independence Movement Day', on: { kind: 'fixed', month: 3, day: 1 }, movesFrom: 'weekend' },
    { name: 'Labor Day', on: { kind: 'fixed', month: 5, day: 1 }, movesFrom: 'weekend' },
    { name: "Children's Day", on: { kind: 'fixed', month: 5, day: 5 }, movesFrom: 'weekend' },
    {
      name: "Buddha's Birthday",
      on: { kind: 'lunar', calendar: 'dangi', month: 4, day: 8, known: ['2026-05-24', '2027-05-13'] },
      movesFrom: 'weekend',
    },
    { name: 'Local elections', on: { kind: 'listed', dates: ['2026-06-03'] } },
    { name: 'Memorial Day', on: { kind: 'fixed', month: 6, day: 6 } },
    { name: 'Constitution Day', on: { kind: 'fixed', month: 7, day: 17, from: 2026 }, movesFrom: 'weekend' },
    { name: 'Liberation Day', on: { kind: 'fixed', month: 8, day: 15 }, movesFrom: 'weekend' },
    ...threeDays('Chuseok', chuseok),
    { name: 'National Foundation Day', on: { kind: 'fixed', month: 10, day: 3 }, movesFrom: 'weekend' },
    { name: 'Hangeul Day', on: { kind: 'fixed', month: 10, day: 9 }, movesFrom: 'weekend' },
    { name: 'Christmas Day', on: { kind: 'fixed', month: 12, day: 25 }, movesFrom: 'weekend' },
    { name: 'Last day of the year', on: { kind: 'last-weekday', month: 12, day: 31 } },
  ],
  specialHours: [
    {
      name: 'First trading day of the year',
      on: { kind: 'listed', dates: ['2026-01-02', '2027-01-04'] },
      hours: [{ opens: '10:00', closes: '15:30' }],
      early: false,
    },
    {
      name: 'University entrance examination',
      on: { kind: 'nth', month: 11, weekday: FRIDAY - 1, nth: 3 },
      hours: [{ opens: '10:00', closes: '16:30' }],
      early: false,
    },
  ],
  movesTo: 'weekday',
  bridges: false,
  sources: [
    {
      title: 'exchange_calendars, XKRX: 2026 trading calendar, after the market closing days of global.krx.co.kr',
      url: 'https://github.com/gerrymanoim/exchange_calendars/pull/527',
      covers: '2026-01-01 to 2026-12-31',
    },
    {
      title: 'exchange_calendars, XKRX: local elections, Labor Day as a public holiday, and examination days of 2026',
      url: 'https://github.com/gerrymanoim/exchange_calendars/pull/574',
      covers: '2026-06-03, and 1 May from 2026',
    },
    {
      title: 'exchange_calendars, XKRX: Constitution Day is a holiday again from 2026',
      url: 'https://github.com/gerrymanoim/exchange_calendars/pull/583',
      covers: '17 July from 2026',
    },
  ],
  published: { from: '2026-01-01', until: '2026-12-31' },
  unsourced: [],
}
