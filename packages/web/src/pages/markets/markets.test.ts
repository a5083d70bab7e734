import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shownDollars } from '../../lib/dollars.ts'
import {
  boardAddressQuery,
  boardSent,
  boardViewOf,
  firstOrder,
  FIRST_LETTERS,
  isFiltered,
  LIFECYCLES,
  SORTS,
  TABS,
} from './board-query.ts'
import { bounded, shownChange, shownNumber, shownPrice } from './figures.ts'
import { historyLine } from './history-lines.ts'
import type { Market } from '@svc/contracts/mandates/limits'
import { groupsOf } from './market-groups.ts'
import { hoursOf, piecesOf } from './ribbon.ts'

describe('the address of the board', () => {
  it('says every choice, and reads it again as it was', () => {
    const some = <T>(all: readonly T[]) => fc.subarray([...all])
    fc.assert(
      fc.property(
        fc.record({
          tab: fc.constantFrom(...TABS),
          q: fc.constantFrom('', 'btc', '비트코인', 'a&b=c', '<b>'),
          exchange: fc.constantFrom('', 'binance', 'gate'),
          quote: fc.constantFrom('', 'USDT', 'KRW'),
          grades: some(FIRST_LETTERS),
          lifecycles: some(LIFECYCLES),
          alerts: fc.constantFrom('open' as const, 'none' as const, 'unknown' as const, null),
          flags: fc.constantFrom('any' as const, 'none' as const, null),
          sort: fc.constantFrom(...SORTS),
          order: fc.constantFrom('asc' as const, 'desc' as const),
          offset: fc.integer({ min: 1, max: 1_000_000 }),
          snapshot: fc.constantFrom(7, null),
          watched: fc.boolean(),
        }),
        (view) => {
          expect(boardViewOf(boardAddressQuery(view))).toEqual(view)
        },
      ),
    )
  })

  it('leaves out what it does not know', () => {
    const view = boardViewOf(
      '?tab=x&exchange=../a&quote=%3Cb%3E&grade=Z&lifecycle=dead&alerts=1&sort=luck&order=up&offset=x',
    )
    expect(boardAddressQuery(view)).toBe('')
    expect(isFiltered(view)).toBe(false)
  })

  it('asks for every letter of a grade, and for the next page of the same board', () => {
    const view = boardViewOf('?grade=A,F&offset=200&snapshot=7')
    expect(boardSent(view, ['upbit_btc_krw'])).toEqual({
      sort: 'volume',
      order: 'desc',
      limit: 200,
      offset: 200,
      grade: 'A+,A,A-,F',
      snapshot: 7,
    })
    const watched = { ...view, offset: 0, grades: [], watched: true }
    expect(boardSent(watched, ['upbit_btc_krw', 'gate_doge_usdt'])).toEqual({
      sort: 'volume',
      order: 'desc',
      limit: 200,
      offset: 0,
      token_id: 'upbit_btc_krw,gate_doge_usdt',
    })
    expect(isFiltered(watched)).toBe(true)
    expect(firstOrder('spread')).toBe('asc')
  })
})

describe('figures of the board', () => {
  it('are dollars in three digits, never greater than they are: a loss is rounded away from zero', () => {
    expect(shownDollars(5_797_985_026.95)).toBe('$5.79B')
    expect(shownDollars(5_797_985_026.95, 'ko')).toBe('$57.9억')
    expect(shownDollars(999.99)).toBe('$999')
    expect(shownDollars(67_360_000, 'ko')).toBe('$6,736만')
    expect(shownDollars(1_150_000)).toBe('$1.15M')
    expect(shownDollars(-12_345.6, 'ko')).toBe('−$1.24만')
    expect(shownDollars(0)).toBe('$0')
  })

  it('are a dash where they are unknown, and never zero', () => {
    for (const text of [shownDollars(null), shownNumber(null), shownChange(null), shownPrice(null), bounded('—', true)])
      expect(text).toBe('—')
  })

  it('have a sign only for changes, and a real minus', () => {
    expect(shownChange(-1.48)).toBe('−1.48%')
    expect(shownChange(2)).toBe('+2.00%')
    expect(shownChange(0)).toBe('0.00%')
    expect(shownChange(-0.001)).toBe('0.00%')
    expect(shownNumber(0.31)).toBe('0.31')
  })

  it('show a price with the digits that count', () => {
    expect(shownPrice(83_859.44)).toBe('83,859')
    expect(shownPrice(125_269_708)).toBe('125,269,708')
    expect(shownPrice(44.55020284670175)).toBe('44.55')
    expect(shownPrice(0.00000123456)).toBe('0.0000012346')
    expect(shownPrice(0)).toBe('0')
  })

  it('say where they are lower bounds', () => {
    expect(bounded('A', true)).toBe('≥\u00a0A')
    expect(bounded('A', false)).toBe('A')
  })
})

describe('the ribbon of sessions', () => {
  const start = Date.parse('2026-11-23T01:45:00.000Z')

  it('shows the session that goes on, and where the next one begins', () => {
    const krx = {
      opens_at: '2026-11-23T00:00:00.000Z',
      closes_at: '2026-11-23T06:45:00.000Z',
      next_opens_at: '2026-11-24T00:00:00.000Z',
    }
    expect(piecesOf(krx, start)).toEqual([
      { kind: 'open', from: 0, to: 5 / 24 },
      { kind: 'opens', from: 22.25 / 24, to: 1 },
    ])
  })

  it('shows nothing for an exchange that opens later than in 24 hours', () => {
    expect(piecesOf({ opens_at: null, closes_at: null, next_opens_at: '2026-11-30T00:00:00.000Z' }, start)).toEqual([])
  })

  it('names full hours of the UTC day', () => {
    expect(hoursOf(start).map(({ hour }) => hour)).toEqual([6, 12, 18, 0])
    expect(hoursOf(Date.parse('2026-11-23T00:00:00.000Z')).map(({ hour }) => hour)).toEqual([0, 6, 12, 18, 0])
  })
})

describe('markets that a mandate can name', () => {
  const market = (market_id: string, status: Market['status']): Market => ({
    market_id,
    title: `${market_id} perpetual`,
    venue: 'hyperliquid',
    status,
    enforced_by: 'guard',
    calls: [],
    exit_adapter: null,
    min_order_usdc: null,
  })

  it('stand by status, live first, without empty groups', () => {
    const groups = groupsOf([market('hl:BTC', 'planned'), market('hl:ETH', 'live')])
    expect(groups.map(({ status }) => status)).toEqual(['live', 'planned'])
    expect(
      groupsOf([market('hl:BTC', 'planned'), market('hl:ETH', 'live')], ' eth ').map(({ status }) => status),
    ).toEqual(['live'])
  })
})

describe('the past of a pair', () => {
  const point = (at: string, gpa: number | null) => ({ at, gpa, gpa_is_lower_bound: false }) as never
  const frame = {
    from: '2026-11-22T00:00:00.000Z',
    to: '2026-11-22T04:00:00.000Z',
    step: '1h',
    width: 40,
    height: 43,
  } as const

  it('is a line of steps with a gap where no board was computed or the figure is unknown', () => {
    const points = [
      point('2026-11-22T00:00:00.000Z', 4.3),
      point('2026-11-22T01:00:00.000Z', 2.3),
      point('2026-11-22T02:00:00.000Z', null),
      point('2026-11-22T03:00:00.000Z', 0),
    ]
    expect(historyLine(points, 'gpa', frame)).toEqual({
      path: 'M0 0H10V20H20M30 43H40',
      bounds: '',
      low: 0,
      high: 4.3,
      lowIsBound: false,
      highIsBound: false,
      count: 3,
    })
  })

  it('parts lower bounds from exact values, so that no line joins them', () => {
    const depth = (hour: number, depth_2pct_usd: number, depth_is_lower_bound: boolean) =>
      ({ at: `2026-11-22T0${hour}:00:00.000Z`, depth_2pct_usd, depth_is_lower_bound }) as never
    const points = [depth(0, 3, true), depth(1, 3, true), depth(2, 46, false), depth(3, 3, true)]
    expect(historyLine(points, 'depth_2pct_usd', frame)).toMatchObject({
      path: 'M20 0H30',
      bounds: 'M0 43H10V43H20M30 43H40',
    })
  })

  it('says of its ends whether they are lower bounds', () => {
    const depth = (hour: number, depth_2pct_usd: number | null, depth_is_lower_bound: boolean) =>
      ({ at: `2026-11-22T0${hour}:00:00.000Z`, depth_2pct_usd, depth_is_lower_bound }) as never
    const ends = (...points: never[]) => historyLine(points, 'depth_2pct_usd', frame)
    expect(ends(depth(0, 3, false), depth(1, 46, false))).toMatchObject({ lowIsBound: false, highIsBound: false })
    expect(ends(depth(0, 3, true), depth(1, 46, true))).toMatchObject({ lowIsBound: true, highIsBound: true })
    // The bound of 3 may stand for more than 46; the exact 3 is the least in any case.
    expect(ends(depth(0, 3, true), depth(1, 46, false))).toMatchObject({ lowIsBound: true, highIsBound: true })
    expect(ends(depth(0, 3, false), depth(1, 46, true))).toMatchObject({ lowIsBound: false, highIsBound: true })
    expect(ends(depth(0, 3, false), depth(1, 3, true))).toMatchObject({ lowIsBound: false, highIsBound: true })
    // What is unknown is neither.
    expect(ends(depth(0, 3, false), depth(1, null, true))).toMatchObject({ lowIsBound: false, highIsBound: false })
    // The ends of grade points are those of the scale.
    const gpa = { at: '2026-11-22T00:00:00.000Z', gpa: 4.3, gpa_is_lower_bound: true } as never
    expect(historyLine([gpa], 'gpa', frame)).toMatchObject({ lowIsBound: false, highIsBound: false })
  })

  it('is unknown without a figure', () => {
    expect(historyLine([], 'gpa', frame)).toBeNull()
    expect(historyLine([point('2026-11-22T00:00:00.000Z', null)], 'gpa', frame)).toBeNull()
  })
})
