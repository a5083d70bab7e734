import type { Mic } from '../src/index.ts'

/** Days without trading, and days that end early with their local end, as a list outside this repository has them. */
export interface DayList {
  readonly exchange: Mic
  readonly year: number
  readonly source: string
  readonly closed: string
  readonly early?: Readonly<Record<string, string>>
}

const NYSE = 'NYSE Group, 2026, 2027 and 2028 Holiday and Early Closings Calendar, press release of 23 December 2025'
const NYSE_2024 =
  'NYSE Group, 2025, 2026 and 2027 Holiday and Early Closings Calendar, press release of 8 November 2024'
const CME = 'Edge Clear, 2026 CME Globex Trading Schedule; holidays 0.102, chicago_mercantile_exchange.py'
const DATE_HOLIDAYS = 'date-holidays 3.37.0'
const HKEX_HALF = 'holidays 0.102, hong_kong_stock_exchange.py'
const KRX = 'exchange_calendars, pull requests 527, 574 and 583; date-holidays 3.37.0'

/** Month and day of each closed weekday. */
export const dayLists: readonly DayList[] = [
  {
    exchange: 'XNYS',
    year: 2026,
    source: NYSE,
    closed: '01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25',
    early: { '11-27': '13:00', '12-24': '13:00' },
  },
  {
    exchange: 'XNYS',
    year: 2027,
    source: NYSE,
    closed: '01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24',
    early: { '11-26': '13:00' },
  },
  {
    exchange: 'XNAS',
    year: 2026,
    source: `holidays 0.102, nasdaq.py, which has the days of ${NYSE_2024}`,
    closed: '01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25',
    early: { '11-27': '13:00', '12-24': '13:00' },
  },
  {
    exchange: 'XNAS',
    year: 2027,
    source: NYSE_2024,
    closed: '01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24',
    early: { '11-26': '13:00' },
  },
  {
    exchange: 'XCME',
    year: 2026,
    source: CME,
    closed: '01-01 04-03 12-25',
    early: {
      '01-19': '12:00',
      '02-16': '12:00',
      '05-25': '12:00',
      '06-19': '12:00',
      '07-03': '12:00',
      '09-07': '12:00',
      '11-26': '12:00',
      '11-27': '12:15',
      '12-24': '12:15',
    },
  },
  {
    exchange: 'XCME',
    year: 2027,
    source: `the holidays of ${NYSE}`,
    closed: '01-01 03-26 12-24',
    early: {
      '01-18': '12:00',
      '02-15': '12:00',
      '05-31': '12:00',
      '06-18': '12:00',
      '07-05': '12:00',
      '09-06': '12:00',
      '11-25': '12:00',
      '11-26': '12:15',
    },
  },
  {
    exchange: 'XKRX',
    year: 2026,
    source: KRX,
    closed: '01-01 02-16 02-17 02-18 03-02 05-01 05-05 05-25 06-03 07-17 08-17 09-24 09-25 10-05 10-09 12-25 12-31',
  },
  {
    exchange: 'XKRX',
    year: 2027,
    source: `${DATE_HOLIDAYS}, KR; holidays 0.102, korea_exchange.py: 1 May is a public holiday, 31 December is closed`,
    closed: '01-01 02-08 02-09 03-01 05-03 05-05 05-13 07-19 08-16 09-14 09-15 09-16 10-04 10-11 12-27 12-31',
  },
  {
    exchange: 'XTKS',
    year: 2026,
    source: `${DATE_HOLIDAYS}, JP`,
    closed:
      '01-01 01-02 01-12 02-11 02-23 03-20 04-29 05-04 05-05 05-06 07-20 08-11 09-21 09-22 09-23 10-12 11-03 11-23 12-31',
  },
  {
    exchange: 'XTKS',
    year: 2027,
    source: `${DATE_HOLIDAYS}, JP`,
    closed: '01-01 01-11 02-11 02-23 03-22 04-29 05-03 05-04 05-05 07-19 08-11 09-20 09-23 10-11 11-03 11-23 12-31',
  },
  {
    exchange: 'XHKG',
    year: 2026,
    source: `${DATE_HOLIDAYS}, HK; ${HKEX_HALF}`,
    closed: '01-01 02-17 02-18 02-19 04-03 04-06 04-07 05-01 05-25 06-19 07-01 10-01 10-19 12-25',
    early: { '02-16': '12:00', '12-24': '12:00', '12-31': '12:00' },
  },
  {
    exchange: 'XHKG',
    year: 2027,
    source: `the 2027 general holidays as gazetted, reported by a2znews.uk; ${DATE_HOLIDAYS}, HK; ${HKEX_HALF}`,
    closed: '01-01 02-08 02-09 03-26 03-29 04-05 05-13 06-09 07-01 09-16 10-01 10-08 12-27',
    early: { '02-05': '12:00', '12-24': '12:00', '12-31': '12:00' },
  },
  {
    exchange: 'XLON',
    year: 2026,
    source: `${DATE_HOLIDAYS}, GB-ENG; holidays 0.102, london_stock_exchange.py`,
    closed: '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28',
    early: { '12-24': '12:30', '12-31': '12:30' },
  },
  {
    exchange: 'XLON',
    year: 2027,
    source: `${DATE_HOLIDAYS}, GB-ENG; holidays 0.102, london_stock_exchange.py`,
    closed: '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28',
    early: { '12-24': '12:30', '12-31': '12:30' },
  },
]

/** Minutes that the clocks of a zone are ahead of UTC: in winter, and in summer between the two Sundays. */
export interface Clocks {
  readonly winter: number
  readonly summer: readonly (readonly [from: string, to: string])[]
}

const unitedStates = (winter: number): Clocks => ({
  winter,
  summer: [
    ['2026-03-08', '2026-11-01'],
    ['2027-03-14', '2027-11-07'],
  ],
})

/** Changes of the clocks in 2026 and 2027: 15 USC 260a; Summer Time Order 2002 (United Kingdom). Asia has none. */
export const clocks: Readonly<Record<Mic, Clocks>> = {
  XNYS: unitedStates(-300),
  XNAS: unitedStates(-300),
  XCME: unitedStates(-360),
  XKRX: { winter: 540, summer: [] },
  XTKS: { winter: 540, summer: [] },
  XHKG: { winter: 480, summer: [] },
  XLON: {
    winter: 0,
    summer: [
      ['2026-03-29', '2026-10-25'],
      ['2027-03-28', '2027-10-31'],
    ],
  },
}

/** Regular hours, in minutes after the local midnight. */
export const regularHours: Readonly<Record<Mic, readonly (readonly [number, number])[]>> = {
  XNYS: [[570, 960]],
  XNAS: [[570, 960]],
  XCME: [[-420, 960]],
  XKRX: [[540, 930]],
  XTKS: [
    [540, 690],
    [750, 930],
  ],
  XHKG: [
    [570, 720],
    [780, 960],
  ],
  XLON: [[480, 990]],
}

/** Days of the Korea Exchange that begin an hour later: the first of the year and the one of the entrance examination. */
export const lateDays: Readonly<Record<string, readonly [number, number]>> = {
  '2026-01-02': [600, 930],
  '2026-11-19': [600, 990],
  '2027-01-04': [600, 930],
  '2027-11-18': [600, 990],
}
