import { expect, test } from 'vitest'
import { afterQuiet, atOnce, dueAt, type AlertTimes } from './alert-times.ts'

const at = (text: string) => new Date(text)
const warning = { severity: 'warning', endsAt: null }
const night: AlertTimes = { timeZone: 'Europe/Berlin', quiet: { from: 22 * 60, to: 7 * 60 }, digestAt: null }
const daily: AlertTimes = { ...night, digestAt: 6 * 60 }

test('an alert is sent at once if the owner set no times, and a critical alert always', () => {
  const now = at('2026-11-21T23:00:30.000Z')
  expect(dueAt(warning, now, atOnce)).toEqual(now)
  expect(dueAt({ severity: 'critical', endsAt: null }, now, daily)).toEqual(now)
})

test.each([
  ['2026-11-21T20:59:59.999Z', '2026-11-21T20:59:59.999Z'],
  ['2026-11-21T21:00:00.000Z', '2026-11-22T06:00:00.000Z'],
  ['2026-11-22T05:59:59.999Z', '2026-11-22T06:00:00.000Z'],
  ['2026-11-22T06:00:00.000Z', '2026-11-22T06:00:00.000Z'],
  // Clocks go back in the night of 25 October 2026, and forward in that of 28 March 2027.
  ['2026-10-24T21:00:00.000Z', '2026-10-25T06:00:00.000Z'],
  ['2027-03-27T22:00:00.000Z', '2027-03-28T05:00:00.000Z'],
])('quiet hours from 22:00 to 07:00 in Berlin move %s to %s', (now, sent) => {
  expect(afterQuiet(at(now), night).toISOString()).toBe(sent)
})

test('a digest is sent at its time, after the quiet hours; an alert whose request would end before does not wait', () => {
  const now = at('2026-11-21T12:00:00.000Z')
  expect(dueAt(warning, now, { ...daily, quiet: null }).toISOString()).toBe('2026-11-22T05:00:00.000Z')
  expect(dueAt(warning, now, daily).toISOString()).toBe('2026-11-22T06:00:00.000Z')
  expect(dueAt({ ...warning, endsAt: at('2026-11-22T06:00:00.000Z') }, now, daily)).toEqual(now)
})
