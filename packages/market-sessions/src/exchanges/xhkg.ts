import type { ExchangeCalendar, Holiday, Hours } from '../calendar.ts'
import type { DateRule } from '../date-rules.ts'

const newYear = { kind: 'lunar', calendar: 'chinese', month: 1, day: 1, known: ['2026-02-17', '2027-02-06'] } as const
const weekdays = [1, 2, 3, 4, 5]
const morning: readonly Hours[] = [{ opens: '09:30', closes: '12:00' }]

const general = (name: string, on: DateRule): Holiday => ({ name, on, movesFrom: 'sunday' })
const lunar = (name: string, month: number, day: number, known: readonly string[], plus = 0): Holiday =>
  general(name, { kind: 'lunar', calendar: 'chinese', month, day, known, plus })
const fixed = (name: string, month: number, day: number): Holiday => general(name, { kind: 'fixed', month, day })

/**
 * Stock Exchange of Hong Kong, securities. Since 23 September 2024 it trades through typhoons and black rainstorms, so
 * that no weather closes it.
 */
export const xhkg: ExchangeCalendar = {
  title: 'Hong Kong Stock Exchange',
  timeZone: 'Asia/Hong_Kong',
  hours: [...morning, { opens: '13:00', closes: '16:00' }],
  holidays: [
    fixed('First day of January', 1, 1),
    general("Lunar New Year's Day", newYear),
    general('Second day of Lunar New Year', { ...newYear, plus: 1 }),
    general('Third day of Lunar New Year', { ...newYear, plus: 2 }),
    general('Ching Ming Festival', { kind: 'qingming' }),
    general('Good Friday', { kind: 'easter', plus: -2 }),
    general('Day following Good Friday', { kind: 'easter', plus: -1 }),
    general('Easter Monday', { kind: 'easter', plus: 1 }),
    fixed('Labour Day', 5, 1),
    lunar('Birthday of the Buddha', 4, 8, ['2026-05-24', '2027-05-13']),
    lunar('Tuen Ng Festival', 5, 5, ['2026-06-19', '2027-06-09']),
    fixed('Establishment Day', 7, 1),
    lunar('Day following Mid-Autumn Festival', 8, 15, ['2026-09-25', '2027-09-15'], 1),
    fixed('National Day', 10, 1),
    lunar('Chung Yeung Festival', 9, 9, ['2026-10-18', '2027-10-08']),
    fixed('Christmas Day', 12, 25),
    fixed('First weekday after Christmas Day', 12, 26),
  ],
  specialHours: [
    { name: "Lunar New Year's Eve", on: { ...newYear, plus: -1, only: weekdays }, hours: morning, early: true },
    { name: 'Christmas Eve', on: { kind: 'fixed', month: 12, day: 24, only: weekdays }, hours: morning, early: true },
    { name: "New Year's Eve", on: { kind: 'fixed', month: 12, day: 31, only: weekdays }, hours: morning, early: true },
  ],
  movesTo: 'any-day-but-sunday',
  bridges: false,
  sources: [
    {
      title: 'date-holidays 3.37.0, HK.yaml: the general holidays of 2026 after gov.hk',
      url: 'https://unpkg.com/date-holidays@3.37.0/data/countries/HK.yaml',
      covers: '2026-01-01 to 2026-12-31',
    },
    {
      title:
        'holidays 0.102, financial/hong_kong_stock_exchange.py: the half days, after the circular of HKEX for 2026',
      url: 'https://github.com/vacanza/holidays/blob/dev/holidays/financial/hong_kong_stock_exchange.py',
      covers: '2026-02-16, 2026-12-24, 2026-12-31',
    },
    {
      title: 'Report of the 2027 general holidays as gazetted: the lunar dates of 2027',
      url: 'https://a2znews.uk/article/c2/28468',
      covers: 'lunar dates of 2027',
    },
  ],
  published: { from: '2026-01-01', until: '2026-12-31' },
  unsourced: [],
}
