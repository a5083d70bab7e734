import { exact } from '@svc/hyperliquid/rounding'
import type { Book } from '@svc/venue/rules/walk-book'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newestOf } from './entries.ts'
import {
  applyTrade,
  drawdownOf,
  equityOf,
  initialMarginOf,
  isLiquidated,
  liquidationPriceOf,
  maintenanceOf,
  type PaperState,
} from './paper-state.ts'
import { planFill, type PaperAsked, type PaperMarket } from './plan-fill.ts'
import { planLiquidation } from './plan-liquidation.ts'

const SEED = { seed: 20261122 }
const decimal = (min: number, max: number, decimals: number) =>
  fc.integer({ min: Math.ceil(min * 10 ** decimals), max: Math.floor(max * 10 ** decimals) }).map((units) =>
    exact(units)
      .div(10 ** decimals)
      .toFixed(),
  )
const ladder = (side: 'bids' | 'asks') =>
  fc
    .array(fc.record({ step: fc.integer({ min: 1, max: 40 }), size: decimal(0.01, 20, 2) }), { maxLength: 8 })
    .map((steps) => {
      let away = 0
      return steps.map(({ step, size }) => {
        away += step
        return {
          price: exact(100)
            .plus(exact(side === 'asks' ? away : -away).div(10))
            .toFixed(),
          size,
        }
      })
    })
const depth: fc.Arbitrary<Book> = fc.record({ bids: ladder('bids'), asks: ladder('asks') })
const market = fc.record({
  coin: fc.constantFrom('A', 'B'),
  markPrice: decimal(90, 110, 1),
  maxLeverage: fc.constantFrom(3, 10, 40),
  sizeDecimals: fc.constant(2),
  listed: fc.boolean(),
  takerFee: fc.constant('0.00045'),
  depth,
})
const asked: fc.Arbitrary<PaperAsked> = fc
  .record({
    side: fc.constantFrom('buy', 'sell'),
    size: fc.option(decimal(0.01, 60, 2), { nil: null }),
    amountUsdc: decimal(1, 6_000, 2),
    reduceOnly: fc.boolean(),
    maxSlippage: fc.constantFrom('0.001', '0.02', '0.05'),
    mayOpen: fc.boolean(),
  })
  .map((given) => (given.size === null ? given : { ...given, amountUsdc: null }))
const holding = (coin: string) =>
  fc.record({
    coin: fc.constant(coin),
    size: fc.tuple(fc.constantFrom('', '-'), decimal(0.01, 30, 2)).map(([sign, size]) => sign + size),
    entryPrice: decimal(90, 110, 1),
    markPrice: decimal(90, 110, 1),
    maxLeverage: fc.constantFrom(3, 10, 40),
  })
const state: fc.Arbitrary<PaperState> = fc.record({
  cashUsdc: decimal(0, 5_000, 6),
  holdings: fc
    .tuple(fc.option(holding('A'), { nil: null }), fc.option(holding('B'), { nil: null }))
    .map((held) => held.filter((one) => one !== null)),
})
const heldIn = ({ holdings }: PaperState, coin: string) => exact(holdings.find((one) => one.coin === coin)?.size ?? 0)

describe('whatever an order asks, the market and the book', () => {
  test('a fill never turns a position, and a close never grows it', () => {
    fc.assert(
      fc.property(asked, market, state, (order, at, before) => {
        const plan = planFill(order, at, before)
        if (plan.kind !== 'fill') return
        const [was, is] = [heldIn(before, at.coin), heldIn(plan.after, at.coin)]
        expect(was.isZero() || is.isZero() || was.isNegative() === is.isNegative()).toBe(true)
        expect(plan.opening).toBe(
          is.abs().gt(was.abs()) ||
            (is.eq(was) && was.isNegative() !== (order.side === 'buy')) ||
            (was.isZero() && is.isZero()),
        )
        if (order.reduceOnly) expect(is.abs().lte(was.abs())).toBe(true)
      }),
      { ...SEED, numRuns: 500 },
    )
  })

  test('what opens leaves the equity at or above the initial margin, so that it is not liquidated at once', () => {
    fc.assert(
      fc.property(asked, market, state, (order, at, before) => {
        const plan = planFill(order, at, before)
        if (plan.kind !== 'fill' || !plan.opening || plan.status === 'missed') return
        expect(order.mayOpen && at.listed).toBe(true)
        expect(exact(equityOf(plan.after)).gte(initialMarginOf(plan.after))).toBe(true)
        expect(isLiquidated(plan.after)).toBe(false)
      }),
      { ...SEED, numRuns: 500 },
    )
  })

  test('the equity changes by the fee and by what the fill cost against the mark price', () => {
    fc.assert(
      fc.property(asked, market, state, (order, at, before) => {
        const plan = planFill(order, at, before)
        if (plan.kind !== 'fill') return
        const { coin, markPrice, maxLeverage } = at
        const marked = before.holdings.map((one) => (one.coin === coin ? { ...one, markPrice, maxLeverage } : one))
        const sign = order.side === 'buy' ? 1 : -1
        const cost = exact(plan.walk.notionalUsdc).minus(exact(plan.walk.filledSize).times(markPrice)).times(sign)
        const expected = exact(equityOf({ ...before, holdings: marked }))
          .minus(cost)
          .minus(plan.walk.feeUsdc)
        expect(exact(plan.equityUsdc).minus(expected).abs().lte('0.000002')).toBe(true)
      }),
      { ...SEED, numRuns: 500 },
    )
  })

  test('an order by amount fills at most its amount, short or long, in the book that it was planned by', () => {
    const amount = decimal(10, 6_000, 2)
    const listed = fc.tuple(market, decimal(99, 101, 1)).map(([at, markPrice]) => ({ ...at, markPrice, listed: true }))
    let fills = 0
    fc.assert(
      fc.property(asked, amount, listed, (some, amountUsdc, at) => {
        const order = { ...some, amountUsdc, size: null, reduceOnly: false, mayOpen: true }
        const plan = planFill(order, at, { cashUsdc: '1000000', holdings: [] })
        if (plan.kind !== 'fill') return
        expect(exact(plan.walk.notionalUsdc).lte(amountUsdc)).toBe(true)
        fills += Number(plan.status !== 'missed')
      }),
      { ...SEED, numRuns: 500 },
    )
    expect(fills).toBeGreaterThan(0)
  })

  test('no price is worse than the band around the middle of the book, or around the mark price', () => {
    fc.assert(
      fc.property(asked, market, state, (order, at, before) => {
        const plan = planFill(order, at, before)
        if (plan.kind !== 'fill' || plan.walk.worstPrice === null) return
        const isWithin =
          order.side === 'buy'
            ? exact(plan.walk.worstPrice).lte(plan.limitPrice)
            : exact(plan.walk.worstPrice).gte(plan.limitPrice)
        expect(isWithin).toBe(true)
      }),
      { ...SEED, numRuns: 400 },
    )
  })
})

describe('liquidation', () => {
  test('closes every position whole, pays fees, and the book never owes', () => {
    fc.assert(
      fc.property(state, fc.option(depth, { nil: null }), (before, book) => {
        const closes = planLiquidation(before, () => ({ depth: book, takerFee: '0.00045' }))
        expect(closes.map(({ coin, size }) => [coin, size])).toEqual(
          before.holdings.map(({ coin, size }) => [coin, exact(size).abs().toFixed()]),
        )
        const last = closes.at(-1)
        if (last === undefined) return
        expect(exact(last.cashUsdc).gte(0)).toBe(true)
        expect(exact(last.coveredUsdc).isZero() || exact(last.cashUsdc).isZero()).toBe(true)
        expect(closes.slice(0, -1).every(({ coveredUsdc }) => coveredUsdc === '0')).toBe(true)
      }),
      { ...SEED, numRuns: 400 },
    )
  })

  test('begins at the liquidation price, and not before it', () => {
    fc.assert(
      fc.property(state, (before) => {
        const [held] = before.holdings
        const price = held === undefined || isLiquidated(before) ? null : liquidationPriceOf(before, held.coin)
        if (held === undefined || price === null) return
        const at = (factor: string): PaperState => ({
          ...before,
          holdings: before.holdings.map((one) =>
            one === held ? { ...one, markPrice: exact(price).times(factor).toFixed() } : one,
          ),
        })
        const isShort = held.size.startsWith('-')
        // The price is shown with five digits.
        expect(isLiquidated(at(isShort ? '1.0002' : '0.9998'))).toBe(true)
        expect(isLiquidated(at(isShort ? '0.9998' : '1.0002'))).toBe(false)
      }),
      { ...SEED, numRuns: 400 },
    )
  })

  test('the maintenance margin is half of the initial margin', () => {
    fc.assert(
      fc.property(state, (of) => {
        expect(exact(maintenanceOf(of)).times(2).toFixed(20)).toBe(exact(initialMarginOf(of)).toFixed(20))
      }),
      SEED,
    )
  })
})

test('an entry price averages on what is added and stays on what is closed', () => {
  const trade = (of: PaperState, side: 'buy' | 'sell', size: string, notionalUsdc: string) =>
    applyTrade(of, { coin: 'A', side, size, notionalUsdc, feeUsdc: '1', markPrice: '100', maxLeverage: 10 })
  const first = trade({ cashUsdc: '1000', holdings: [] }, 'buy', '1', '100')
  const second = trade(first.state, 'buy', '2', '230')
  expect(second.holding).toMatchObject({ size: '3', entryPrice: '110' })
  const third = trade(second.state, 'sell', '1', '120')
  expect([third.holding.entryPrice, third.closedPnlUsdc, third.state.cashUsdc]).toEqual(['110', '10', '787'])
  const fourth = trade(third.state, 'sell', '2', '200')
  expect([fourth.holding, fourth.closedPnlUsdc, fourth.state]).toEqual([
    { coin: 'A', size: '0', entryPrice: null, markPrice: '100', maxLeverage: 10 },
    '-20',
    { cashUsdc: '986', holdings: [] },
  ])
})

test('the greatest fall counts from the peak before it, in whole basis points, at most all of it', () => {
  let seen = { peakUsdc: '100', maxDrawdownBps: 0 }
  const path = ['110', '99', '105', '120', '115', '-5', '300'].map((equity) => {
    seen = drawdownOf(seen, equity)
    return [seen.peakUsdc, seen.maxDrawdownBps]
  })
  expect(path).toEqual([
    ['110', 0],
    ['110', 1_000],
    ['110', 1_000],
    ['120', 1_000],
    ['120', 1_000],
    ['120', 10_000],
    ['300', 10_000],
  ])
})

const { bids, asks } = { bids: [{ price: '99.9', size: '5' }], asks: [{ price: '100.1', size: '5' }] }
const at: PaperMarket = {
  coin: 'A',
  markPrice: '100',
  maxLeverage: 10,
  sizeDecimals: 2,
  listed: true,
  takerFee: '0.00045',
  depth: { bids, asks },
}
const buy: PaperAsked = {
  side: 'buy',
  size: '1',
  amountUsdc: null,
  reduceOnly: false,
  maxSlippage: '0.05',
  mayOpen: true,
}
const rich: PaperState = { cashUsdc: '1000', holdings: [] }

test.each([
  ['an empty book', 'missed', { bids: [], asks: [] }],
  ['a book beyond the band', 'missed', { bids, asks: [{ price: '120', size: '9' }] }],
  ['a thin book', 'partial', { bids, asks: [{ price: '100.1', size: '0.4' }] }],
  ['a deep book', 'filled', { bids, asks }],
] as const)('against %s an order is %s', (_, status, depthGiven) => {
  expect(planFill(buy, { ...at, depth: depthGiven }, rich)).toMatchObject({ kind: 'fill', status })
})

test('a position in a delisted market closes at the mark price once the book is empty, and where there are offers at them', () => {
  const held = { coin: 'A', size: '2', entryPrice: '90', markPrice: '95', maxLeverage: 10 }
  const close: PaperAsked = { ...buy, side: 'sell', size: '2', reduceOnly: true, mayOpen: false }
  const delisted = { ...at, listed: false }
  const before = { ...rich, holdings: [held] }
  const over = planFill(close, { ...delisted, depth: { bids: [], asks: [] } }, before)
  expect(over).toMatchObject({ status: 'filled', closedPnlUsdc: '20', walk: { averagePrice: '100' } })
  expect(planFill(close, delisted, before)).toMatchObject({ status: 'filled', walk: { averagePrice: '99.9' } })
  expect(planFill(close, { ...at, depth: { bids: [], asks: [] } }, before)).toMatchObject({ status: 'missed' })
})

test('entries of three lists are cut to the newest together', () => {
  const rows = (...seqs: number[]) => seqs.map((seq) => ({ seq }))
  const lists = { fills: rows(9, 6, 3), funding: rows(8, 7), equity: rows(5, 4) }
  expect(newestOf(lists, 4)).toEqual({ page: { fills: rows(9, 6), funding: rows(8, 7), equity: [] }, next: 6 })
  expect(newestOf(lists, 7)).toEqual({ page: lists, next: null })
})
