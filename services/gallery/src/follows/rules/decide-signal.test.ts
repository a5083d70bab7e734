import { exact } from '@svc/hyperliquid/rounding'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decideSignal, FRESH_MS, OPEN_MIN, type DecidedSignal, type FollowerScene } from './decide-signal.ts'

const NOW = Date.parse('2026-11-23T15:00:00.000Z')
const signal: DecidedSignal = {
  market: 'hl:BTC',
  side: 'long',
  weightBps: 5_000,
  limitPrice: null,
  recordedAt: NOW - 1_000,
  validUntil: null,
}
const scene: FollowerScene = {
  active: true,
  hiredAt: NOW - 60_000,
  legBound: true,
  equity: 100_000_000n,
  position: null,
  marketAllowed: true,
  openMax: 1_000_000_000n,
  mayClose: true,
}
const decide = (some: Partial<DecidedSignal> = {}, seen: Partial<FollowerScene> = {}, mark: string | null = '60000') =>
  decideSignal({ ...signal, ...some }, { ...scene, ...seen }, mark, NOW)
const long = { size: '0.001', price: '60000' }
const verdict = (word: string, reason: string) => ({ kind: 'verdict', verdict: word, reason })

describe('a follower', () => {
  test.each([
    ['opens target', {}, {}, [[1, 'buy', '50', null]]],
    ['opens what is missing', {}, { equity: 200_000_000n, position: long }, [[1, 'buy', '40', null]]],
    ['opens at most what passes', {}, { openMax: 20_000_000n }, [[1, 'buy', '20', null]]],
    ['reduces what is too much', { weightBps: 3_000 }, { position: long }, [[1, 'sell', '30', null]]],
    ['closes for flat', { side: 'flat', weightBps: 0 }, { position: long }, [[1, 'sell', null, '0.001']]],
    [
      'closes a short by buying',
      { side: 'flat', weightBps: 0 },
      { position: { size: '-0.002', price: '60000' } },
      [[1, 'buy', null, '0.002']],
    ],
    [
      'flips by a close and an open',
      { side: 'short' },
      { position: long },
      [
        [1, 'sell', null, '0.001'],
        [2, 'sell', '50', null],
      ],
    ],
    [
      'only closes a flip whose open does not pass',
      { side: 'short' },
      { position: long, openMax: null },
      [[1, 'sell', null, '0.001']],
    ],
    [
      'closes in a market that the mandate does not name',
      { side: 'short' },
      { position: long, marketAllowed: false },
      [[1, 'sell', null, '0.001']],
    ],
    [
      'closes beyond the limit price, which bounds opens',
      { side: 'short', limitPrice: '61000' },
      { position: long },
      [[1, 'sell', null, '0.001']],
    ],
  ] as const)('%s', (_, some, seen, orders) => {
    const decided = decide(some, seen)
    expect(
      decided.kind === 'orders' && decided.orders.map((one) => [one.n, one.side, one.amountUsdc, one.size]),
    ).toEqual(orders)
  })

  test.each([
    ['a signal of before the hire', { recordedAt: NOW - 60_001 }, {}, verdict('skipped_stale', 'before_hire')],
    ['a signal of a follow that ended', {}, { active: false }, verdict('skipped_stale', 'follow_ended')],
    ['a signal after 120 s', { recordedAt: NOW - FRESH_MS - 1 }, { hiredAt: 0 }, verdict('skipped_stale', 'too_late')],
    ['a signal after its valid_until', { validUntil: NOW - 1 }, {}, verdict('skipped_stale', 'too_late')],
    ['without a bound leg', {}, { legBound: false }, verdict('skipped_no_leg', 'leg_not_bound')],
    ['an unknown equity', {}, { equity: null }, verdict('skipped_no_leg', 'equity_unknown')],
    ['no equity', {}, { equity: -5n }, verdict('followed', 'at_target')],
    ['a target below the minimum', { weightBps: 1_000 }, {}, verdict('skipped_limit', 'below_minimum')],
    ['caps below the minimum', {}, { openMax: OPEN_MIN - 1n }, verdict('skipped_limit', 'over_caps')],
    ['no passing open', {}, { openMax: null }, verdict('skipped_limit', 'nothing_passes')],
    ['another market', {}, { marketAllowed: false }, verdict('skipped_limit', 'market_not_allowed')],
    ['a worse price than the limit', { limitPrice: '59999' }, {}, verdict('skipped_limit', 'limit_price')],
    [
      'a close that the mandate forbids',
      { side: 'flat', weightBps: 0 },
      { position: long, mayClose: false },
      verdict('skipped_limit', 'may_not_close'),
    ],
    [
      'a position at its target',
      {},
      { position: { size: '0.0008', price: '60000' } },
      verdict('followed', 'at_target'),
    ],
    ['a reduction below the minimum', { weightBps: 5_500 }, { position: long }, verdict('followed', 'at_target')],
    ['flat without a position', { side: 'flat', weightBps: 0 }, {}, verdict('followed', 'at_target')],
  ] as const)('orders nothing for %s', (_, some, seen, expected) => {
    expect(decide(some, seen)).toEqual(expected)
  })

  test('is valid longer than 120 s if the signal says so', () => {
    expect(decide({ recordedAt: NOW - 600_000, validUntil: NOW }, { hiredAt: 0 }).kind).toBe('orders')
  })
})

test('no order opens more than passes or than is missing, none closes more than is held, and none turns a position', () => {
  const units = fc.bigInt({ min: 0n, max: 10_000_000_000n })
  const position = fc.record({
    size: fc
      .integer({ min: -100_000, max: 100_000 })
      .filter(Boolean)
      .map((n) => exact(n).div(100_000).toFixed()),
    price: fc.integer({ min: 1, max: 9_999_999 }).map((n) => exact(n).div(100).toFixed()),
  })
  fc.assert(
    fc.property(
      fc.record({ side: fc.constantFrom('long', 'short', 'flat'), weightBps: fc.integer({ min: 0, max: 10_000 }) }),
      fc.record({
        equity: units,
        position: fc.option(position),
        openMax: fc.option(units),
        marketAllowed: fc.boolean(),
        mayClose: fc.boolean(),
      }),
      (some, seen) => {
        const decided = decide(some as Partial<DecidedSignal>, seen)
        if (decided.kind === 'verdict') return
        const target = (seen.equity * BigInt(some.weightBps)) / 10_000n
        for (const order of decided.orders) {
          const amount = order.amountUsdc === null ? null : exact(order.amountUsdc)
          if (order.reduceOnly) {
            expect(seen.mayClose && seen.position !== null).toBe(true)
            expect(order.side).toBe(seen.position?.size.startsWith('-') ? 'buy' : 'sell')
            if (order.size !== null) expect(order.size).toBe(seen.position?.size.replace('-', ''))
            else
              expect(
                amount?.lte(
                  exact(seen.position?.size ?? 0)
                    .times(seen.position?.price ?? 0)
                    .abs()
                    .plus('0.000001'),
                ),
              ).toBe(true)
          } else {
            expect(seen.marketAllowed && seen.openMax !== null).toBe(true)
            expect(order.side).toBe(some.side === 'long' ? 'buy' : 'sell')
            expect(amount?.times(1_000_000).lte(String(seen.openMax))).toBe(true)
            expect(amount?.times(1_000_000).lte(String(target))).toBe(true)
          }
        }
        expect(decided.orders.map(({ n }) => n)).toEqual([1, 2].slice(0, decided.orders.length))
      },
    ),
    { numRuns: 2_000, seed: 20261122 },
  )
})
