import { venueFile } from '@svc/contracts/market-data/venues'
import { describe, expect, it } from 'vitest'
import { limitWait } from './limit-wait.ts'

const NOW = Date.UTC(2026, 10, 30, 12)
const MINUTE = 60_000
const wait = (venue: string, status: number, body: unknown = {}, headers: Record<string, string> = {}) =>
  limitWait({ status, body, headers, now: NOW }, venueFile(venue).limited)

describe('the wait that a refusal demands', () => {
  it('is that of Retry-After, in seconds or as a date by the clock of the answer', () => {
    expect(wait('gate', 429, {}, { 'Retry-After': '77' })).toBe(77_000)
    const until = new Date(NOW + 30 * MINUTE).toUTCString()
    expect(wait('gate', 429, {}, { 'retry-after': until })).toBe(30 * MINUTE)
    const ahead = new Date(NOW + 10 * MINUTE).toUTCString()
    expect(wait('gate', 429, {}, { 'retry-after': until, date: ahead })).toBe(20 * MINUTE)
    const past = new Date(NOW - MINUTE).toUTCString()
    expect(wait('gate', 429, {}, { 'retry-after': past })).toBe(1_000)
  })

  it.each([
    ['bybit', 403, {}, 10 * MINUTE],
    ['bybit', 200, { retCode: 10018, retMsg: 'Exceeded the IP Rate Limit' }, 10 * MINUTE],
    ['bybit', 200, { retCode: 10006, retMsg: 'Too many visits!' }, 30_000],
    ['okx', 200, { code: '50011', msg: 'Too Many Requests' }, 30_000],
    ['bitget', 200, { code: '429', msg: 'Too many requests' }, 30_000],
    ['mexc', 200, { code: 510, msg: 'Excessive frequency of requests' }, 30_000],
    ['gate', 400, { label: 'TOO_MANY_REQUESTS' }, 30_000],
    ['kucoin', 200, { code: '429000', msg: 'Too Many Requests' }, 30_000],
    ['htx', 200, { status: 'error', 'err-code': 'rate-too-many-requests' }, 30_000],
    ['binance', 400, { code: -1003, msg: 'Too much request weight used' }, 30_000],
    ['upbit', 418, {}, 120_000],
  ] as const)('is known of %s with status %i and %j', (venue, status, body, ms) => {
    expect(wait(venue, status, body)).toBe(ms)
  })

  it('is read from the header of the venue, in its unit', () => {
    expect(wait('kucoin', 429, {}, { 'gw-ratelimit-reset': '12000' })).toBe(12_000)
    expect(wait('gate', 429, {}, { 'x-gate-ratelimit-reset-timestamp': String(NOW / 1_000 + 9) })).toBe(9_000)
    const body = { retCode: 10006 }
    expect(wait('bybit', 200, body, { 'X-Bapi-Limit-Reset-Timestamp': String(NOW + 4_000) })).toBe(4_000)
  })

  it('is read from the text of a ban', () => {
    const msg = `Way too much request weight used; IP banned until ${NOW + 20 * MINUTE}.`
    expect(wait('binance', 418, { code: -1003, msg })).toBe(20 * MINUTE)
    expect(wait('binance', 418, { code: -1003, msg }, { 'retry-after': '60' })).toBe(MINUTE)
  })

  it('is none for other refusals, and for answers', () => {
    expect(wait('bybit', 200, { retCode: 0 })).toBeNull()
    expect(wait('gate', 403)).toBeNull()
    expect(wait('kucoin', 200, { code: '400100' })).toBeNull()
    expect(wait('upbit', 400, [1])).toBeNull()
    expect(wait('okx', 200, 'text')).toBeNull()
  })
})
