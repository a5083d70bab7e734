import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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
      maxDrawdownBps: 10,
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
