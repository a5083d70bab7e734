import { exact, isWireDecimal, roundPrice, roundSize } from '@svc/hyperliquid/rounding'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { guardsOf, type Bounds } from './guards.ts'
import { planOrder, type Asked, type Plan, type Scene } from '@svc/venue/rules/plan-order'

const scene = (changed: Partial<Scene> = {}): Scene => ({
  position: '0',
  prices: { mark: '60000', bid: '59994', ask: '60006' },
  band: '0.05',
  sizeDecimals: 5,
  takerFee: '0.00045',
  ...changed,
})
const asked = (changed: Partial<Asked> = {}): Asked => ({
  side: 'buy',
  amountUsdc: '100',
  size: null,
  reduceOnly: false,
  ...changed,
})
const planned = (given: Asked, at: Scene): Plan => {
  const plan = planOrder(given, at)
  if (plan.kind !== 'plan') throw new Error(plan.kind)
  return plan
}

describe('an order is planned from the fresh position', () => {
  test('a buy of 100 USDC is as many lots as 100 USDC pay at the worst price of the band, which is its reference price', () => {
    expect(planned(asked(), scene())).toMatchObject({
      opening: true,
      worstPrice: '63000',
      referencePrice: '63000',
      size: '0.00158',
      notionalUsdc: '99.54',
      // (63,000 − 60,000) × 0.00158 + 99.54 × 0.00045
      lossUsdc: '4.784793',
    })
  })

  test('a sale of 100 USDC is as many lots as 100 USDC at the highest price of its reading, and loses by its worst price', () => {
    const at = (prices: Scene['prices']) => planned(asked({ side: 'sell' }), scene({ prices }))
    expect(at(scene().prices)).toMatchObject({
      worstPrice: '57000',
      referencePrice: '60000',
      size: '0.00166',
      notionalUsdc: '99.6',
      // (60,000 − 57,000) × 0.00166 + 0.00166 × 57,000 × 0.00045
      lossUsdc: '5.022579',
    })
    expect(at({ mark: '59000', bid: '59994', ask: '60006' })).toMatchObject({ referencePrice: '60000' })
    expect(at({ mark: '61000', bid: '59994', ask: '60006' })).toMatchObject({
      referencePrice: '61000',
      size: '0.00163',
    })
    expect(at({ mark: '59000', bid: '59994', ask: null })).toMatchObject({ referencePrice: '59994' })
  })

  test('a close by amount is converted at the reference price of its side, and never exceeds the position', () => {
    const close = (side: 'buy' | 'sell', position: string, reduceOnly = true) =>
      planOrder(asked({ side, reduceOnly }), scene({ position }))
    expect(close('sell', '1')).toMatchObject({ opening: false, size: '0.00166', notionalUsdc: '99.6' })
    expect(close('buy', '-1')).toMatchObject({ opening: false, size: '0.00158', notionalUsdc: '99.54' })
    expect(close('sell', '0.001')).toMatchObject({ opening: false, size: '0.001' })
    expect(close('sell', '0.001', false)).toEqual({ kind: 'would_flip' })
  })

  test.each([
    ['0', 'buy', true],
    ['0', 'sell', true],
    ['1', 'buy', true],
    ['-1', 'sell', true],
    ['1', 'sell', false],
    ['-1', 'buy', false],
  ] as const)('with a position of %s a %s opens: %s', (position, side, opening) => {
    expect(planned(asked({ side }), scene({ position })).opening).toBe(opening)
  })

  test.each(['0', '1'])('a reduce-only buy with a position of %s has nothing to close', (position) => {
    expect(planOrder(asked({ reduceOnly: true }), scene({ position }))).toEqual({ kind: 'nothing_to_close' })
  })

  test('an order larger than the position that it closes would flip it; as reduce-only it is cut to the position', () => {
    const order = asked({ side: 'sell', amountUsdc: null, size: '0.003' })
    expect(planOrder(order, scene({ position: '0.002' }))).toEqual({ kind: 'would_flip' })
    expect(planned({ ...order, reduceOnly: true }, scene({ position: '0.002' }))).toMatchObject({ size: '0.002' })
    expect(planned({ ...order, size: '0.002' }, scene({ position: '0.002' }))).toMatchObject({ opening: false })
  })

  test('with an empty side, or a middle further from the mark price than the band, the mark price is the reference', () => {
    for (const prices of [
      { mark: '60000', bid: null, ask: '60006' },
      { mark: '60000', bid: '59994', ask: null },
      { mark: '60000', bid: '50000', ask: '50006' },
    ])
      expect(
        planned(asked({ side: 'sell', amountUsdc: null, size: '1' }), scene({ prices, position: '1' })),
      ).toMatchObject({ centre: { source: 'mark', price: '60000' }, worstPrice: '57000', size: '1' })
  })

  test('no order is planned beyond the amount, off the lot, outside the band or larger than what it closes', () => {
    const price = fc.integer({ min: 1, max: 9_999_999 }).map((n) => exact(n).div(1_000).toFixed())
    fc.assert(
      fc.property(
        fc.record({
          mark: price,
          spread: fc.integer({ min: 0, max: 1_000 }),
          band: fc.constantFrom('0.001', '0.01', '0.05', '0.3'),
          sizeDecimals: fc.integer({ min: 0, max: 5 }),
          position: fc.integer({ min: -1_000_000, max: 1_000_000 }),
          side: fc.constantFrom('buy' as const, 'sell' as const),
          amount: fc.option(fc.integer({ min: 1, max: 2_000_000_000 })),
          size: fc.integer({ min: 1, max: 100_000_000 }),
          reduceOnly: fc.boolean(),
        }),
        (given) => {
          const { band, sizeDecimals, side, reduceOnly } = given
          const position = exact(given.position).div(exact(10).pow(sizeDecimals)).toFixed()
          const half = exact(given.mark).times(given.spread).div(20_000)
          const prices = {
            mark: given.mark,
            bid: exact(given.mark).minus(half).toFixed(),
            ask: exact(given.mark).plus(half).toFixed(),
          }
          const amountUsdc = given.amount === null ? null : exact(given.amount).div(1_000_000).toFixed()
          const size = given.amount === null ? exact(given.size).div(100_000_000).toFixed() : null
          const plan = planOrder(
            { side, amountUsdc, size, reduceOnly },
            scene({ prices, band, sizeDecimals, position }),
          )
          if (plan.kind !== 'plan') return
          const { worstPrice, centre } = plan
          expect(isWireDecimal(worstPrice) && isWireDecimal(plan.size)).toBe(true)
          expect(roundPrice(worstPrice, side, sizeDecimals)).toBe(worstPrice)
          expect(roundSize(plan.size, sizeDecimals)).toBe(plan.size)
          const edge = exact(centre.price).times(side === 'buy' ? exact(1).plus(band) : exact(1).minus(band))
          expect(side === 'buy' ? exact(worstPrice).lte(edge) : exact(worstPrice).gte(edge)).toBe(true)
          if (amountUsdc !== null) expect(exact(plan.notionalUsdc).lte(amountUsdc)).toBe(true)
          const read = [worstPrice, prices.mark, centre.mid ?? '0', side === 'sell' ? prices.bid : '0']
          for (const one of read) expect(exact(plan.referencePrice).gte(one)).toBe(true)
          expect(exact(plan.notionalUsdc).eq(exact(plan.size).times(plan.referencePrice).toDecimalPlaces(6, 0))).toBe(
            true,
          )
          if (reduceOnly) expect(plan.opening).toBe(false)
          // What closes never turns the position, at any fill of it.
          if (!plan.opening) expect(exact(plan.size).lte(exact(position).abs())).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('guards of an open', () => {
  const bounds = (changed: Partial<Bounds> = {}): Bounds => ({
    openNotionalUsdc: '0',
    dailyCapUsdc: '150',
    openNotionalMult: '2',
    budgetUsdc: '500',
    badFillsUsdc: '0',
    listed: true,
    bar: null,
    ...changed,
  })
  const { prices } = scene()
  const codes = (plan: Plan, changed: Partial<Bounds> = {}, at = prices) =>
    guardsOf(plan, at, bounds(changed)).map(({ code }) => code)

  test('open notional may reach the multiple of the daily cap, and not exceed it by a micro-dollar', () => {
    const plan = planned(asked(), scene())
    expect(codes(plan, { openNotionalUsdc: '200.46' })).toEqual([])
    expect(codes(plan, { openNotionalUsdc: '200.460001' })).toEqual(['over_open_notional'])
  })

  test('a sale counts at its reference price, where its position stands once it is open, and not at its worst price below', () => {
    const plan = planned(asked({ side: 'sell' }), scene())
    expect(plan).toMatchObject({ worstPrice: '57000', size: '0.00166', notionalUsdc: '99.6' })
    expect(codes(plan, { openNotionalUsdc: '200.4' })).toEqual([])
    expect(codes(plan, { openNotionalUsdc: '200.400001' })).toEqual(['over_open_notional'])
  })

  test('bad fills may reach 2 % of the budget, and not exceed them', () => {
    const plan = planned(asked(), scene())
    expect(codes(plan, { badFillsUsdc: '10' })).toEqual([])
    expect(codes(plan, { badFillsUsdc: '10.000001' })).toEqual(['over_slippage_budget'])
  })

  test('the rules of the venue: listed, two sides, middle near the mark price, on the lot, at least 10 USDC', () => {
    const plan = planned(asked(), scene())
    expect(codes(plan, { listed: false })).toEqual(['venue_rule'])
    for (const at of [
      { mark: '60000', bid: null, ask: '60006' },
      { mark: '60000', bid: '50000', ask: '50006' },
    ])
      expect(codes(planned(asked(), scene({ prices: at })), {}, at)).toEqual(['venue_rule'])
    expect(codes(planned(asked({ amountUsdc: null, size: '0.0015805' }), scene()))).toEqual(['venue_rule'])
    // 0.00017 × 60,006 = 10.20; 0.00016 × 60,006 = 9.60
    expect(codes(planned(asked({ amountUsdc: null, size: '0.00017' }), scene()))).toEqual([])
    expect(codes(planned(asked({ amountUsdc: null, size: '0.00016' }), scene()))).toEqual(['venue_rule'])
    expect(codes(planned(asked({ amountUsdc: '0.000001' }), scene()))).toEqual(['venue_rule'])
  })

  test('a leg that is barred opens nothing', () => {
    const plan = planned(asked(), scene())
    expect(codes(plan, { bar: 'stop_line' })).toEqual(['stop_line_crossed'])
    expect(codes(plan, { bar: 'agent_silent', listed: false })).toEqual(['agent_silent', 'venue_rule'])
  })

  test('they are found in the order in which they are judged', () => {
    const plan = planned(asked({ amountUsdc: null, size: '0.0000001' }), scene())
    expect(codes(plan, { openNotionalUsdc: '400', badFillsUsdc: '11', listed: false })).toEqual([
      'over_open_notional',
      'over_slippage_budget',
      'venue_rule',
    ])
  })

  test('a close has none', () => {
    const plan = planned(asked({ side: 'sell', amountUsdc: null, size: '0.0001' }), scene({ position: '0.0001' }))
    expect(codes(plan, { openNotionalUsdc: '400', badFillsUsdc: '11', listed: false })).toEqual([])
  })
})
