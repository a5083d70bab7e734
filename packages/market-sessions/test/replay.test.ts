import { describe, expect, test } from 'vitest'
import { exchanges, sessionOf, type MarketSession, type Mic } from '../src/index.ts'
import { clocks, dayLists, lateDays, regularHours } from './published-days.ts'

const mics = Object.keys(exchanges) as Mic[]
const START = Date.parse('2026-01-01T00:00:00Z')
const END = Date.parse('2028-01-01T00:00:00Z')
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** Returns the time at which the clocks show so many minutes after the local midnight, by the table of the changes. */
function utcOf(mic: Mic, date: string, minutes: number): number {
  const { winter, summer } = clocks[mic]
  // All sessions begin and end hours away from the night of a change; what began on the evening before has its date.
  const day = minutes < 0 ? new Date(Date.parse(date) - DAY_MS).toISOString().slice(0, 10) : date
  const isSummer = summer.some(([from, to]) => day >= from && day < to)
  return Date.parse(`${date}T00:00:00Z`) + (minutes - winter - (isSummer ? 60 : 0)) * MINUTE_MS
}

/** Returns all trading of the two years by the lists, as `opens closes`. */
function listedTrading(mic: Mic): string[] {
  const lists = dayLists.filter(({ exchange }) => exchange === mic)
  const closed = new Set(lists.flatMap(({ year, closed: days }) => days.split(' ').map((day) => `${year}-${day}`)))
  const early = new Map(
    lists.flatMap(({ year, early: days = {} }) => Object.entries(days).map(([day, at]) => [`${year}-${day}`, at])),
  )
  const trading: string[] = []
  for (let at = START; at < END; at += DAY_MS) {
    const date = new Date(at).toISOString().slice(0, 10)
    const weekday = new Date(at).getUTCDay()
    if (weekday === 0 || weekday === 6 || closed.has(date)) continue
    const late = mic === 'XKRX' ? lateDays[date] : undefined
    const end = early.get(date)
    const endMinutes = end === undefined ? Infinity : Number(end.slice(0, 2)) * 60 + Number(end.slice(3))
    for (const [opens, closes] of late === undefined ? regularHours[mic] : [late]) {
      if (opens >= endMinutes) continue
      const ends = utcOf(mic, date, Math.min(closes, endMinutes))
      trading.push(`${new Date(utcOf(mic, date, opens)).toISOString()} ${new Date(ends).toISOString()}`)
    }
  }
  return trading
}

/** Returns all trading of the two years by hopping from one opening to the next. */
function replayedTrading(mic: Mic): MarketSession[] {
  const found: MarketSession[] = []
  let at = sessionOf(mic, new Date(START - DAY_MS / 4)).nextOpensAt
  while (at.getTime() < END) {
    const session = sessionOf(mic, at)
    found.push(session)
    at = session.nextOpensAt
  }
  return found.filter(({ closesAt }) => closesAt !== null && closesAt.getTime() > START)
}

describe.each(mics)('%s in 2026 and 2027', (mic) => {
  test('trading is that of the published lists over every holiday and every change of the clocks', () => {
    const replayed = replayedTrading(mic).map(
      ({ opensAt, closesAt }) => `${opensAt?.toISOString()} ${closesAt?.toISOString()}`,
    )
    const listed = listedTrading(mic)
    // The evening of 31 December 2027 belongs to the first day of 2028.
    expect(replayed.filter((row) => row < '2027-12-31T12')).toEqual(listed.filter((row) => row < '2027-12-31T12'))
    expect(listed.length).toBeGreaterThan(480)
  })

  test('a listed holiday of a published year is called so at noon, and of another year projected', () => {
    const { published, unsourced } = exchanges[mic]
    for (const { year, closed } of dayLists.filter(({ exchange }) => exchange === mic)) {
      for (const day of closed.split(' ').map((one) => `${year}-${one}`)) {
        const session = sessionOf(mic, new Date(utcOf(mic, day, 720)))
        const isSourced = day >= published.from && day <= published.until && !unsourced.includes(day)
        expect([day, session.state, session.isOpen]).toEqual([day, isSourced ? 'holiday' : 'projected', false])
        expect(session.holiday).not.toBeNull()
      }
    }
  })

  test('every list and every calendar names its source', () => {
    expect(dayLists.filter(({ exchange }) => exchange === mic).map(({ year }) => year)).toEqual([2026, 2027])
    for (const { source } of dayLists) expect(source).not.toBe('')
    for (const { title, url, covers } of exchanges[mic].sources) {
      expect([title, covers]).not.toContain('')
      expect(URL.canParse(url)).toBe(true)
    }
  })
})
