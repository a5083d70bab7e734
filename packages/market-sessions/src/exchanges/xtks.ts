import type { ExchangeCalendar, Holiday } from '../calendar.ts'

const national = (name: string, month: number, day: number): Holiday => ({
  name,
  on: { kind: 'fixed', month, day },
  movesFrom: 'sunday',
})
const monday = (name: string, month: number, nth: number): Holiday => ({
  name,
  on: { kind: 'nth', month, weekday: 1, nth },
})
const closed = (month: number, day: number): Holiday => ({
  name: 'Exchange holiday',
  on: { kind: 'fixed', month, day },
})

/** Tokyo Stock Exchange, stocks; the afternoon ends at 15:30 since 5 November 2024. */
export const xtks: ExchangeCalendar = {
  title: 'Tokyo Stock Exchange',
  timeZone: 'Asia/Tokyo',
  hours: [
    { opens: '09:00', closes: '11:30' },
    { opens: '12:30', closes: '15:30' },
  ],
  holidays: [
    national("New Year's Day", 1, 1),
    closed(1, 2),
    closed(1, 3),
    monday('Coming of Age Day', 1, 2),
    national('National Foundation Day', 2, 11),
    national("Emperor's Birthday", 2, 23),
    { name: 'Vernal Equinox Day', on: { kind: 'equinox', season: 'spring' }, movesFrom: 'sunday' },
    national('Showa Day', 4, 29),
    national('Constitution Memorial Day', 5, 3),
    national('Greenery Day', 5, 4),
    national("Children's Day", 5, 5),
    monday('Marine Day', 7, 3),
    national('Mountain Day', 8, 11),
    monday('Respect for the Aged Day', 9, 3),
    { name: 'Autumnal Equinox Day', on: { kind: 'equinox', season: 'autumn' }, movesFrom: 'sunday' },
    monday('Sports Day', 10, 2),
    national('Culture Day', 11, 3),
    national('Labor Thanksgiving Day', 11, 23),
    closed(12, 31),
  ],
  specialHours: [],
  movesTo: 'any-day-but-sunday',
  bridges: true,
  sources: [
    {
      title: 'holiday_jp, holidays.yml: the national holidays after the list of the Cabinet Office',
      url: 'https://github.com/holiday-jp/holiday_jp',
      covers: '2026-01-01 to 2026-12-31',
    },
    {
      title:
        'Kotobank (Kyodo News), holidays of the Tokyo Stock Exchange: weekends, national holidays, 31 December to 3 January',
      url: 'https://kotobank.jp/word/%E6%9D%B1%E8%A8%BC%E3%81%AE%E4%BC%91%E6%A5%AD%E6%97%A5-3200131',
      covers: 'the rule',
    },
  ],
  published: { from: '2026-01-01', until: '2026-12-31' },
  unsourced: [],
}
