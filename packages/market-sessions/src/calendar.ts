import type { DateRule } from './date-rules.ts'

/** Trading hours of a local day, `HH:MM`. Hours that begin on the evening before have a minus: `-07:00` is 17:00 of that evening. */
export interface Hours {
  readonly opens: string
  readonly closes: string
}

/** Where a list of days or hours was read, and the days that it covers. */
export interface Source {
  readonly title: string
  readonly url: string
  readonly covers: string
}

/** A day on which the exchange is closed. */
export interface Holiday {
  readonly name: string
  readonly on: DateRule
  /**
   * Whether a holiday on a Sunday, or on a day of the weekend, moves to the next free day; one that falls on another
   * holiday then moves too. Without it the holiday stays where it is.
   */
  readonly movesFrom?: 'sunday' | 'weekend'
}

/** A day with other hours than the regular ones. A holiday of the same date wins. */
export interface SpecialHours {
  readonly name: string
  readonly on: DateRule
  readonly hours: readonly Hours[]
  /** Whether the day ends before a regular one, which sessions call `early_close`. */
  readonly early: boolean
}

/** All that is known of the trading days of an exchange. Dates are local, `YYYY-MM-DD`. */
export interface ExchangeCalendar {
  readonly title: string
  /** Zone of the IANA database. */
  readonly timeZone: string
  /** Hours of a regular day from Monday to Friday, in their order. */
  readonly hours: readonly Hours[]
  readonly holidays: readonly Holiday[]
  readonly specialHours: readonly SpecialHours[]
  /** Whether a moved holiday passes over Saturdays as well as over Sundays and other holidays. */
  readonly movesTo: 'weekday' | 'any-day-but-sunday'
  /** Whether a day between two holidays is one, as in Japan. */
  readonly bridges: boolean
  readonly sources: readonly Source[]
  /** First and last day whose hours the sources state; the rules project every other day. */
  readonly published: { readonly from: string; readonly until: string }
  /** Days in between whose hours no source states, so that the rules project them too. */
  readonly unsourced: readonly string[]
}
