import { tradeCodes } from '@svc/contracts/hl-trade/order-schemas'
import { exact } from '@svc/hyperliquid/rounding'
import { evidenceOf } from '@svc/outbound/rules'
import type { Fill } from '@svc/venue/rules/fills'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { raised } from './cap-step.ts'
import { capOfPages, capOfTerminal } from './effective-cap.ts'
import { emptyFacts } from './empty-facts.ts'
import { judgeTrade, mandateFor, maxPassing, type TradeFacts } from './judge-trade.ts'
import { endOfPosted, lookOfPosted } from './posted.ts'
import { bandAtExecution } from './price-band.ts'
import { refusalView } from './refusal-view.ts'

const usdc = fc.integer({ min: 0, max: 2_000_000_000 }).map((units) => exact(units).div(1_000_000).toFixed())
const mandate = fc.record({
  publicId: fc.constant('mdt_1'),
  isWorking: fc.boolean(),
  perTxCapUsdc: usdc,
  markets: fc.subarray(['hl:BTC', 'hl:ETH']),
})
const date = new Date('2026-11-24T00:00:00.000Z')
const facts: fc.Arbitrary<TradeFacts> = fc.record({
  mode: fc.constantFrom('paper', 'live'),
  by: fc.constantFrom('owner', 'agent'),
  closing: fc.boolean(),
  liveTrading: fc.boolean(),
  isPaired: fc.boolean(),
  mandates: fc.option(fc.array(mandate, { maxLength: 3 })),
  market: fc.option(fc.record({ id: fc.constant('hl:BTC'), isListed: fc.boolean() })),
  notionalUsdc: fc.option(usdc),
  caps: fc.option(fc.record({ perOrderUsdc: usdc, dailyUsdc: usdc, usedTodayUsdc: usdc, resetsAt: fc.constant(date) })),
  openNotional: fc.option(fc.record({ usdc, mult: fc.constantFrom('1', '2') })),
  session: fc.option(
    fc.record({ isOpen: fc.boolean(), exchange: fc.constant('XNYS'), nextOpensAt: fc.constant(date) }),
  ),
  builder: fc.constantFrom('none', 'approved', 'missing'),
  notLinked: fc.option(fc.constantFrom('not_linked', 'key_not_enabled', 'wallet_refused', 'leg_bound')),
  price: fc.option(fc.record({ limit: fc.constant(null), attempted: fc.constant(null), fix: fc.constant('Wait.') })),
  isExpired: fc.boolean(),
})
const codesOf = (given: TradeFacts) => judgeTrade(given).map(({ code }) => code)

describe('the judge of the trading side', () => {
  test('names its reasons in the stated order, each once and with what to do', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const places = codesOf(given).map((code) => tradeCodes.indexOf(code))
        expect(places).toEqual([...new Set(places)].toSorted((a, b) => a - b))
        for (const { fix } of judgeTrade(given)) expect(fix).not.toBe('')
      }),
    )
  })

  test("never lets the live switch, a cap or the session refuse an owner's close", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const codes = codesOf({ ...given, mode: 'live', by: 'owner', closing: true })
        for (const code of [
          'live_trading_off',
          'over_order_cap',
          'over_daily_cap',
          'over_open_notional',
          'session_closed',
        ])
          expect(codes).not.toContain(code)
      }),
    )
  })

  test('lets no live order but an owner’s close pass while live trading is off', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const passes = judgeTrade({ ...given, mode: 'live', liveTrading: false }).length === 0
        if (passes) expect(given).toMatchObject({ by: 'owner', closing: true })
      }),
    )
  })

  test('says an amount that passes the caps, and refuses any above it', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const open: TradeFacts = { ...given, mode: 'live', closing: false, mandates: null }
        const most = maxPassing(open)
        if (most === null) return
        const capped = (notionalUsdc: string) =>
          codesOf({ ...open, notionalUsdc }).filter((code) => code.startsWith('over_'))
        if (exact(most).gt(0)) expect(capped(most)).toEqual([])
        expect(capped(exact(most).plus('0.000001').toFixed())).not.toEqual([])
      }),
    )
  })

  test('needs an owner for a paper order, and judges it by the caps of a live one', () => {
    const judged = new Set(['agent_not_paired', 'over_order_cap', 'over_daily_cap', 'over_open_notional'])
    fc.assert(
      fc.property(facts, (given) => {
        const live = codesOf({ ...given, mode: 'live' })
        expect(codesOf({ ...given, mode: 'paper' })).toEqual(live.filter((code) => judged.has(code)))
      }),
    )
  })

  test('takes the working mandate with the highest cap that lists the market', () => {
    const one = { publicId: 'a', isWorking: true, perTxCapUsdc: '10', markets: ['hl:BTC'] }
    const all = [
      one,
      { ...one, publicId: 'b', perTxCapUsdc: '9.5' },
      { ...one, publicId: 'c', perTxCapUsdc: '99', isWorking: false },
    ]
    expect(mandateFor(all, 'hl:BTC')?.publicId).toBe('a')
    expect(mandateFor(all, 'hl:ETH')).toBeNull()
  })

  test('shows an empty refusal block for an order that passes', () => {
    expect(refusalView(emptyFacts, null)).toMatchObject({ kind: null, code: null, fix: null, verdicts: [] })
  })
})

test('the lower of the terminal cap and a limit of the owner binds the terminal; the trade pages have the limit or the default', () => {
  const [cap, fallback] = [
    { perOrderUsdc: '1000', dailyUsdc: '5000' },
    { perOrderUsdc: '100', dailyUsdc: '500' },
  ]
  const none = { perOrderUsdc: null, dailyUsdc: null }
  const terminal = { perOrderUsdc: 'terminal_cap', dailyUsdc: 'terminal_cap' }
  expect(capOfTerminal(none, cap)).toEqual({ ...cap, boundBy: terminal })
  expect(capOfTerminal({ ...none, perOrderUsdc: '1000.01' }, cap)).toEqual({ ...cap, boundBy: terminal })
  expect(capOfTerminal({ ...none, perOrderUsdc: '1000' }, cap)).toEqual({
    ...cap,
    boundBy: { ...terminal, perOrderUsdc: 'owner_limit' },
  })
  expect(capOfPages({ ...none, dailyUsdc: '40' }, fallback)).toEqual({
    perOrderUsdc: '100',
    dailyUsdc: '40',
    boundBy: { perOrderUsdc: 'default', dailyUsdc: 'owner_limit' },
  })
})

test('a step of the cap doubles it up to the maximum, the daily cap in proportion, and never lowers one', () => {
  expect(raised({ perOrderUsdc: '100', dailyUsdc: '500' }, '1000')).toEqual({ perOrderUsdc: '200', dailyUsdc: '1000' })
  expect(raised({ perOrderUsdc: '800', dailyUsdc: '4000' }, '1000')).toEqual({
    perOrderUsdc: '1000',
    dailyUsdc: '5000',
  })
  expect(raised({ perOrderUsdc: '2000', dailyUsdc: '500' }, '1000')).toEqual({ perOrderUsdc: '2000', dailyUsdc: '500' })
  expect(raised({ perOrderUsdc: '0', dailyUsdc: '500' }, '1000')).toEqual({ perOrderUsdc: '0', dailyUsdc: '500' })
})

test('a prepared price may move by the band of the order, in either direction, and no further', () => {
  const prepared = { bandCentre: '60000', band: '0.01' }
  for (const price of ['60600', '59400']) expect(bandAtExecution(prepared, { price })).toBeNull()
  for (const price of ['60600.1', '59399.9'])
    expect(bandAtExecution(prepared, { price })).toMatchObject({ attempted: price })
})

describe('an order that nobody recorded', () => {
  const fill = (sz: string, time: number) => ({ tid: time, px: '1', sz, fee: '0', time })
  /** How an order of size 2 ended that expired after a minute; null while that is not proved. */
  const endAt = (fills: readonly Fill[], knownMs: number) => {
    const evidence = evidenceOf(lookOfPosted(fills, knownMs), 60_000)
    return evidence === 'done' || evidence === 'not_done' ? endOfPosted('2', fills) : null
  }

  test('is missed a minute after its expiry by the venue’s time, and not before', () => {
    expect(endAt([], 120_000)).toBeNull()
    expect(endAt([], 120_001)).toMatchObject({ state: 'missed' })
  })

  test('ends with what it executed once no more can follow', () => {
    expect(endAt([fill('1', 10_000)], 14_999)).toBeNull()
    expect(endAt([fill('1', 10_000)], 15_000)).toMatchObject({ state: 'partial' })
    const more = [fill('1', 10_000), fill('2', 10_001)]
    expect(endAt(more, 15_001)).toMatchObject({ state: 'filled' })
  })
})
