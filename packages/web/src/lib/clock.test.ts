import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteServerTime, now } from './clock.ts'

const HOUR = 3_600_000
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T10:00:00.400Z') }))
afterEach(() => {
  noteServerTime(new Date().toUTCString())
  vi.useRealTimers()
})

test('a clock that is an hour off, either way, counts by the time of the answers', () => {
  for (const off of [HOUR, -HOUR]) {
    noteServerTime(new Date(Date.now() + off).toUTCString())
    expect(Math.abs(now() - Date.now() - off)).toBeLessThan(1_000)
  }
})

test('a clock that is right stays as it is, whatever an answer took, and an answer without a time changes nothing', () => {
  noteServerTime(new Date(Date.now() - 60_000).toUTCString())
  expect(now()).toBe(Date.now())
  noteServerTime(new Date(Date.now() + HOUR).toUTCString())
  noteServerTime(null)
  noteServerTime('yesterday')
  expect(now() - Date.now()).toBeGreaterThan(HOUR - 1_000)
})
