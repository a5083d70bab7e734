import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exchanges, type Mic } from './exchanges.ts'
import { sessionOf, sessionOfMarket, stretchAt } from './session-of.ts'

const mics = Object.keys(exchanges) as Mic[]
const anyMic = fc.constantFrom(...mics)
const anyTime = fc.date({
  min: new Date('2025-01-01T00:00:00Z'),
  max: new Date('2029-12-31T00:00:00Z'),
  noInvalidDate: true,
})
const at = (mic: Mic, time: string) => sessionOf(mic, new Date(time))

describe('stretches of a session', () => {
  test('each contains its time, and the next begins where it ends', () => {
    fc.assert(
      fc.property(anyMic, anyTime, (mic, time) => {
        const stretch = stretchAt(mic, time)
        expect(stretch.from.getTime()).toBeLessThanOrEqual(time.getTime())
        expect(stretch.to.getTime()).toBeGreaterThan(time.getTime())
        expect(stretchAt(mic, stretch.from)).toEqual(stretch)
        expect(stretchAt(mic, new Date(stretch.to.getTime() - 1))).toEqual(stretch)
        expect(stretchAt(mic, stretch.to).from).toEqual(stretch.to)
      }),
      { numRuns: 300 },
    )
  })

  test('the session of a time is that of its stretch', () => {
    fc.assert(
      fc.property(anyMic, anyTime, (mic, time) => {
        const stretch = stretchAt(mic, time)
        const session = sessionOf(mic, time)
        expect([session.state, session.isOpen]).toEqual([stretch.state, stretch.isOpen])
        expect([session.opensAt, session.closesAt]).toEqual(stretch.isOpen ? [stretch.from, stretch.to] : [null, null])
      }),
      { numRuns: 300 },
    )
  })

  test('trading begins at the next opening, and nowhere before it', () => {
    fc.assert(
      fc.property(anyMic, anyTime, (mic, time) => {
        const { nextOpensAt } = sessionOf(mic, time)
        expect(nextOpensAt.getTime()).toBeGreaterThan(time.getTime())
        expect(sessionOf(mic, nextOpensAt).opensAt).toEqual(nextOpensAt)
        for (let stretch = stretchAt(mic, time); stretch.to < nextOpensAt;) {
          stretch = stretchAt(mic, stretch.to)
          expect(stretch.isOpen).toBe(false)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('every day outside the published ones is projected, and no other one is', () => {
    fc.assert(
      fc.property(anyMic, anyTime, (mic, time) => {
        const { state, opensAt, timeZone } = sessionOf(mic, time)
        // A session that began on the evening before belongs to the day of its end.
        const day = opensAt === null ? time : (sessionOf(mic, time).closesAt ?? time)
        const date = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(day)
        const { published, unsourced } = exchanges[mic]
        const isProjected = date < published.from || date > published.until || unsourced.includes(date)
        expect(state === 'projected').toBe(isProjected)
      }),
      { numRuns: 300 },
    )
  })
})

describe('states by example', () => {
  test.each([
    ['XNYS', '2026-11-23T14:29:59.999Z', 'closed', false],
    ['XNYS', '2026-11-23T14:30:00.000Z', 'open', true],
    ['XNYS', '2026-11-23T21:00:00.000Z', 'closed', false],
    ['XNYS', '2026-11-26T15:00:00.000Z', 'holiday', false],
    ['XNYS', '2026-11-27T17:59:59.999Z', 'early_close', true],
    ['XNYS', '2026-11-27T18:00:00.000Z', 'closed', false],
    ['XNYS', '2029-01-02T15:00:00.000Z', 'projected', true],
    ['XCME', '2026-11-22T22:59:00.000Z', 'closed', false],
    ['XCME', '2026-11-22T23:00:00.000Z', 'open', true],
    ['XCME', '2026-11-23T22:30:00.000Z', 'closed', false],
    ['XCME', '2026-11-26T17:59:00.000Z', 'early_close', true],
    ['XCME', '2026-11-26T18:00:00.000Z', 'closed', false],
    ['XCME', '2026-12-25T15:00:00.000Z', 'holiday', false],
    ['XTKS', '2026-11-24T02:45:00.000Z', 'closed', false],
    ['XTKS', '2026-11-24T06:29:00.000Z', 'open', true],
    ['XTKS', '2026-09-22T03:00:00.000Z', 'holiday', false],
    ['XHKG', '2026-11-24T04:30:00.000Z', 'closed', false],
    ['XHKG', '2026-12-24T03:00:00.000Z', 'early_close', true],
    ['XHKG', '2026-12-24T05:30:00.000Z', 'closed', false],
    ['XKRX', '2026-11-19T00:30:00.000Z', 'closed', false],
    ['XKRX', '2026-11-19T07:00:00.000Z', 'open', true],
    ['XLON', '2026-12-31T12:29:00.000Z', 'early_close', true],
    ['XLON', '2026-12-28T12:00:00.000Z', 'holiday', false],
  ] as const)('%s at %s is %s', (mic, time, state, isOpen) => {
    expect([at(mic, time).state, at(mic, time).isOpen]).toEqual([state, isOpen])
  })

  test('a market has the session of its exchange, and crypto none', () => {
    const time = new Date('2026-11-23T15:00:00Z')
    expect(sessionOfMarket('hl:xyz:TSLA', time)).toEqual(sessionOf('XNAS', time))
    expect(sessionOfMarket('xyz:XYZ100', time)).toEqual(sessionOf('XCME', time))
    expect(sessionOfMarket('BTC', time)).toBeNull()
    expect(sessionOfMarket('hl:ETH', time)).toBeNull()
  })

  test('a year without a calendar is an error', () => {
    expect(() => sessionOf('XNYS', new Date('1980-01-01T00:00:00Z'))).toThrow(RangeError)
  })
})
