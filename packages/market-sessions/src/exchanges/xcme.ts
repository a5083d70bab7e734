import type { ExchangeCalendar, Hours, SpecialHours } from '../calendar.ts'
import type { DateRule } from '../date-rules.ts'

const THURSDAY = 4
const until = (closes: string): readonly Hours[] => [{ opens: '-07:00', closes }]
const endsAt = (closes: string, name: string, on: DateRule): SpecialHours => ({
  name,
  on,
  hours: until(closes),
  early: true,
})

/**
 * Futures on equity indices at CME (Globex). A day begins at 17:00 of the evening before, on Sunday for Monday, and ends
 * at 16:00; the hour in between is maintenance. On most holidays trading halts at noon and the next day begins at 17:00.
 */
export const xcme: ExchangeCalendar = {
  title: 'CME equity index futures',
  timeZone: 'America/Chicago',
  hours: until('16:00'),
  holidays: [
    { name: "New Year's Day", on: { kind: 'fixed', month: 1, day: 1, observed: 'monday' } },
    { name: 'Good Friday', on: { kind: 'easter', plus: -2 } },
    { name: 'Christmas Day', on: { kind: 'fixed', month: 12, day: 25, observed: 'nearest' } },
  ],
  specialHours: [
    endsAt('12:00', 'Martin Luther King, Jr. Day', { kind: 'nth', month: 1, weekday: 1, nth: 3 }),
    endsAt('12:00', "Presidents' Day", { kind: 'nth', month: 2, weekday: 1, nth: 3 }),
    endsAt('12:00', 'Memorial Day', { kind: 'nth', month: 5, weekday: 1, nth: -1 }),
    endsAt('12:00', 'Juneteenth', { kind: 'fixed', month: 6, day: 19, observed: 'nearest', from: 2022 }),
    endsAt('12:15', 'Eve of Independence Day', { kind: 'fixed', month: 7, day: 3, only: [1, 2, 3, 4] }),
    endsAt('12:00', 'Independence Day', { kind: 'fixed', month: 7, day: 4, observed: 'nearest' }),
    endsAt('12:00', 'Labor Day', { kind: 'nth', month: 9, weekday: 1, nth: 1 }),
    endsAt('12:00', 'Thanksgiving Day', { kind: 'nth', month: 11, weekday: THURSDAY, nth: 4 }),
    endsAt('12:15', 'Day after Thanksgiving', { kind: 'nth', month: 11, weekday: THURSDAY, nth: 4, plus: 1 }),
    endsAt('12:15', 'Christmas Eve', { kind: 'fixed', month: 12, day: 24, only: [1, 2, 3, 4] }),
  ],
  movesTo: 'weekday',
  bridges: false,
  sources: [
    {
      title:
        '2026 CME Globex Trading Schedule, as Edge Clear lists it: the holidays, and the halt at 12:00 and the opening at 17:00',
      url: 'https://edgeclear.com/exchange-holiday-hours/',
      covers: '2026-01-01 to 2026-12-31',
    },
    {
      title:
        'holidays 0.102, financial/chicago_mercantile_exchange.py, after cmegroup.com/trading-hours of May 2026: the halts at noon',
      url: 'https://github.com/vacanza/holidays/blob/dev/holidays/financial/chicago_mercantile_exchange.py',
      covers: '2026-01-01 to 2026-12-31',
    },
  ],
  published: { from: '2026-01-01', until: '2026-12-31' },
  // The lists differ, or are silent, about the minute at which equity index futures end on these days.
  unsourced: ['2026-04-03', '2026-11-27', '2026-12-24'],
}
