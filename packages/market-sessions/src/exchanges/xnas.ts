import type { ExchangeCalendar } from '../calendar.ts'
import { stockEarlyCloses, stockHolidays, xnys } from './xnys.ts'

/** Nasdaq keeps the days and hours of the New York Stock Exchange. */
export const xnas: ExchangeCalendar = {
  title: 'Nasdaq',
  timeZone: 'America/New_York',
  hours: xnys.hours,
  holidays: stockHolidays,
  specialHours: stockEarlyCloses,
  movesTo: 'weekday',
  bridges: false,
  sources: [
    {
      title:
        "holidays 0.102, financial/nasdaq.py: the days of the New York Stock Exchange, after Nasdaq's schedule of February 2026",
      url: 'https://github.com/vacanza/holidays/blob/dev/holidays/financial/nasdaq.py',
      covers: '2026-01-01 to 2026-12-31',
    },
  ],
  published: { from: '2026-01-01', until: '2026-12-31' },
  unsourced: [],
}
