import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signedUnits } from '@svc/contracts/common/usdc'
import { exact, roundSize, usdcNear, usdcUp, type Exact } from '@svc/hyperliquid/rounding'
import { decideSignal } from './decide-signal.ts'
import { quantityOf } from './order-quantity.ts'
import { replaySignals, type ReplayedSignal, type ReplayTerms } from './replay-signals.ts'

const DAY = 86_400_000
const terms: ReplayTerms = {
  budget: 1_000_000_000n,
  perTxCap: 500_000_000n,
  dailyCap: 800_000_000n,
  approvalAbove: null,
  stopLine: 0n,
  feeBps: 1_000,
  markets: ['hl:BTC'],
  gapBps: '10',
  band: '0',
  takerFee: () => '0.001',
}
const at = (day: number, price: string, some: Partial<ReplayedSignal> = {}): ReplayedSignal => ({
  market: 'hl:BTC',
  side: 'long',
  weightBps: 5_000,
  limitPrice: null,
  recordedAt: day * DAY,
  validUntil: null,
  price,
  ...some,
})
const flat = { side: 'flat', weightBps: 0 } as const

describe('a replay', () => {
  test('buys at a price worse by the gap, pays fees at the venue and on the gain, and is computed by hand', () => {
    // 500 USDC at 100 are 5, bought at 100.1, sold at 109.89: 500.5 + 0.5005 paid, 549.45 − 0.54945 got.
    expect(replaySignals([at(1, '100'), at(2, '110', flat)], terms)).toEqual({
      followed: 2,
      skipped: 0,
      orders: 2,
      traded: 1_049_950_000n,
      venueFees: 1_049_950n,
      gapCost: 1_050_000n,
      performanceFee: 4_790_005n,
      end: 1_043_110_045n,
      changeBps: 431,
      // From 1,047.9 after the sale to the end, after the fee on the gain.
      maxDrawdownBps: 45,
      stopped: false,
    })
  })

  test('keeps the caps of the mandate: one order, the day, the approval amount, and its markets', () => {
    const twice = [at(1, '100', { weightBps: 10_000 }), at(1.4, '100', { weightBps: 10_000 })]
    expect(replaySignals(twice, { ...terms, gapBps: '0' }).traded).toBe(800_000_000n)
    const next = [...twice, at(2.1, '100', { weightBps: 10_000 })]
    expect(replaySignals(next, { ...terms, gapBps: '0' }).traded).toBeGreaterThan(990_000_000n)
    expect(replaySignals(twice.slice(1), { ...terms, approvalAbove: 20_000_000n, gapBps: '0' }).traded).toBe(
      20_000_000n,
    )
    expect(replaySignals(twice, { ...terms, markets: [] })).toMatchObject({
      followed: 0,
      skipped: 2,
      orders: 0,
      changeBps: 0,
    })
  })

  test('ends at the stop line, where it closes', () => {
    const stopping = { ...terms, stopLine: 900_000_000n }
    const fallen = replaySignals([at(1, '100'), at(2, '75'), at(3, '200')], stopping)
    expect(fallen).toMatchObject({ followed: 1, orders: 2, stopped: true, performanceFee: 0n })
    expect(fallen.changeBps).toBeLessThan(-1_240)
    expect(fallen.maxDrawdownBps).toBe(-fallen.changeBps - 1)
  })

  test('shows what the stop line realises as its drawdown', () => {
    const all = { ...terms, perTxCap: terms.budget, gapBps: '0', takerFee: () => '0' }
    const script = [at(1, '100', { weightBps: 10_000 }), at(2, '50.5')]
    const stopped = replaySignals(script, { ...all, stopLine: 900_000_000n, dailyCap: terms.budget })
    expect(stopped).toMatchObject({ stopped: true, changeBps: -4_950, maxDrawdownBps: 4_950 })
  })
})

test('in a market that does not move, opens fill at most the cap of one order and of the day, whatever side and band', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('long' as const, 'short' as const),
      fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 10 }),
      fc.constantFrom('0', '0.01', '0.05', '0.5'),
      fc.integer({ min: 1, max: 9_999_999 }).map((cents) => `${cents / 100}`),
      (side, weights, band, price) => {
        const growing = weights.toSorted((one, other) => one - other)
        const script = growing.map((weightBps, index) => at(1 + index / 100, price, { side, weightBps }))
        const tight = { ...terms, perTxCap: 100_000_000n, dailyCap: 250_000_000n, gapBps: '0', band }
        const traded = script.map((_, index) => replaySignals(script.slice(0, index + 1), tight).traded)
        for (const [index, sum] of traded.entries())
          expect(sum - (traded[index - 1] ?? 0n)).toBeLessThanOrEqual(100_000_000n)
        expect(traded.at(-1)).toBeLessThanOrEqual(250_000_000n)
      },
    ),
    { numRuns: 200 },
  )
})

test('a short is sized by the price of its signal, a long position by its worst price', () => {
  const short = at(1, '100', { side: 'short', weightBps: 10_000 })
  const wide = { ...terms, perTxCap: 100_000_000n, gapBps: '0', band: '0.5' }
  expect(replaySignals([short], wide).traded).toBe(100_000_000n)
  expect(replaySignals([{ ...short, side: 'long' }], wide).traded).toBe(66_666_666n)
})

test('whatever the signals: money only comes from prices, and each cost lowers what is left', () => {
  const signal = fc.record({
    day: fc.integer({ min: 1, max: 90 }),
    price: fc.integer({ min: 50, max: 200 }).map(String),
    side: fc.constantFrom('long', 'short', 'flat'),
    weightBps: fc.integer({ min: 0, max: 10_000 }),
  })
  const loose = { ...terms, perTxCap: 10n ** 12n, dailyCap: 10n ** 12n, feeBps: 0 }
  fc.assert(
    fc.property(fc.array(signal, { maxLength: 30 }), fc.constantFrom('0', '25'), (given, gapBps) => {
      const script = given
        .toSorted((a, b) => a.day - b.day)
        .map(({ day, price, side, weightBps }) => at(day, price, { side: side as 'long', weightBps }))
      const free = replaySignals(script, { ...loose, gapBps: '0', takerFee: () => '0' })
      const unmoved = replaySignals(
        script.map((one) => ({ ...one, price: '100' })),
        { ...loose, gapBps },
      )
      expect(unmoved.end + unmoved.venueFees + unmoved.gapCost - terms.budget).toBeLessThan(100n)
      expect(unmoved.end + unmoved.venueFees + unmoved.gapCost - terms.budget).toBeGreaterThan(-100n)
      expect([free.venueFees, free.gapCost]).toEqual([0n, 0n])
      expect(replaySignals(script, { ...loose, gapBps })).toEqual(replaySignals(script, { ...loose, gapBps }))
    }),
    { numRuns: 300, seed: 20261122 },
  )
})

/** A trade of the naive walk; the fee is in base units. */
interface Traded {
  readonly market: string
  readonly size: Exact
  readonly price: Exact
  readonly fee: bigint
  readonly opens: boolean
  readonly at: number
}

const near = (usdc: Exact) => signedUnits(usdcNear(usdc))

/**
 * Replays signals the slow way: each point of the series is computed anew from all trades so far, and the drawdown is the worst
 * loss of a point from the highest one before it.
 */
function walkNaively(signals: readonly ReplayedSignal[], given: ReplayTerms) {
  const trades: Traded[] = []
  const heldOf = (market: string) =>
    trades.reduce((sum, one) => (one.market === market ? sum.plus(one.size) : sum), exact(0))
  const equityAt = (seen: readonly ReplayedSignal[]) => {
    const paid = trades.reduce((sum, { size, price, fee }) => sum + near(size.times(price)) + fee, 0n)
    const markets = [...new Set(trades.map(({ market }) => market))]
    const worth = markets.reduce((sum, market) => {
      const price = seen.findLast((one) => one.market === market)?.price ?? '0'
      return sum + near(heldOf(market).times(price))
    }, 0n)
    return given.budget - paid + worth
  }
  const trade = (signal: Pick<ReplayedSignal, 'market' | 'price' | 'recordedAt'>, size: Exact, opens: boolean) => {
    const share = exact(given.gapBps)
      .div(10_000)
      .times(size.isNegative() ? -1 : 1)
    const price = exact(signal.price).times(share.plus(1))
    const fee = signedUnits(usdcUp(size.times(price).abs().times(given.takerFee(signal.market))))
    trades.push({ market: signal.market, size, price, fee, opens, at: signal.recordedAt })
  }
  const series = [given.budget]
  let stopped = false
  for (const [index, signal] of signals.entries()) {
    const seen = signals.slice(0, index + 1)
    stopped = given.stopLine > 0n && equityAt(seen) <= given.stopLine
    if (stopped) {
      for (const market of new Set(trades.map((one) => one.market))) {
        const price = seen.findLast((one) => one.market === market)?.price ?? '0'
        const held = heldOf(market)
        if (!held.isZero()) trade({ market, price, recordedAt: signal.recordedAt }, held.negated(), false)
      }
      series.push(equityAt(seen))
      break
    }
    const used = trades
      .filter((one) => one.opens && Math.floor(one.at / DAY) === Math.floor(signal.recordedAt / DAY))
      .reduce((sum, { size, price }) => sum + near(size.times(price).abs()), 0n)
    const left = used < given.dailyCap ? given.dailyCap - used : 0n
    const openMax = [given.perTxCap, left, given.approvalAbove ?? left].reduce((a, b) => (a < b ? a : b))
    const held = heldOf(signal.market)
    const decision = decideSignal(
      signal,
      {
        active: true,
        hiredAt: 0,
        legBound: true,
        equity: equityAt(seen),
        position: held.isZero() ? null : { size: held.toFixed(), price: signal.price },
        marketAllowed: given.markets.includes(signal.market),
        openMax,
        mayClose: true,
      },
      signal.price,
      signal.recordedAt,
    )
    if (decision.kind === 'orders')
      for (const one of decision.orders) {
        const sizing = { mark: signal.price, band: given.band, sizeDecimals: null, openMax }
        const { size, amountUsdc } = quantityOf(one, sizing)
        const worst = exact(signal.price).times(one.side === 'buy' ? exact(given.band).plus(1) : 1)
        const wanted = size === null ? exact(roundSize(exact(amountUsdc).div(worst), 8)) : exact(size)
        trade(signal, one.side === 'buy' ? wanted : wanted.negated(), !one.reduceOnly)
      }
    series.push(equityAt(seen))
  }
  const gross = series.at(-1) ?? given.budget
  const end = gross > given.budget ? gross - ((gross - given.budget) * BigInt(given.feeBps)) / 10_000n : gross
  const points = [...series, end]
  const highest = (some: readonly bigint[]) => some.reduce((a, b) => (a > b ? a : b))
  const losses = points.map((later, index) => {
    const before = highest(points.slice(0, index + 1))
    return Number(((before - later) * 10_000n) / before)
  })
  return { end, stopped, orders: trades.length, peak: highest(points), drawdown: Math.max(...losses) }
}

test('a naive walk agrees, and no drawdown is smaller than the loss from the peak to the end', () => {
  const signal = fc.record({
    hours: fc.integer({ min: 24, max: 24 * 20 }),
    cents: fc.integer({ min: 2_000, max: 40_000 }),
    market: fc.constantFrom('hl:BTC', 'hl:ETH', 'hl:SOL'),
    side: fc.constantFrom('long' as const, 'short' as const, 'flat' as const),
    weightBps: fc.integer({ min: 0, max: 10_000 }),
  })
  const some = fc.record({
    stopLine: fc.constantFrom(0n, 500_000_000n, 900_000_000n),
    gapBps: fc.constantFrom('0', '25', '-5'),
    band: fc.constantFrom('0', '0.05'),
    feeBps: fc.constantFrom(0, 2_000),
    perTxCap: fc.constantFrom(100_000_000n, 10n ** 12n),
    approvalAbove: fc.constantFrom(null, 300_000_000n),
  })
  fc.assert(
    fc.property(fc.array(signal, { maxLength: 25 }), some, (given, changed) => {
      const script = given
        .toSorted((a, b) => a.hours - b.hours)
        .map(({ hours, cents, side, ...one }) => {
          const weightBps = side === 'flat' ? 0 : one.weightBps
          return at(hours / 24, String(cents / 100), { ...one, side, weightBps })
        })
      const bounds = { ...terms, ...changed, dailyCap: 10n ** 12n, markets: ['hl:BTC', 'hl:ETH'] }
      const naive = walkNaively(script, bounds)
      const { end, stopped, orders, maxDrawdownBps } = replaySignals(script, bounds)
      expect({ end, stopped, orders, maxDrawdownBps }).toEqual({
        end: naive.end,
        stopped: naive.stopped,
        orders: naive.orders,
        maxDrawdownBps: naive.drawdown,
      })
      expect(maxDrawdownBps).toBeGreaterThanOrEqual(Number(((naive.peak - end) * 10_000n) / naive.peak))
    }),
    { numRuns: 1_000 },
  )
})
