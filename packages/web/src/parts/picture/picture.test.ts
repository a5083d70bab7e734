import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TradeMark } from '../../lib/trade-marks.ts'
import { chartOf, HEIGHT, HEIGHTS } from './chart.ts'
import { MARK, placeMarks } from './place.ts'

const spot = fc.record({
  x: fc.double({ min: -50, max: 900, noNaN: true }),
  y: fc.double({ min: -50, max: 300, noNaN: true }),
})

describe('marks', () => {
  test('never cover one another, stay in the frame and keep their order, however many share a place', () => {
    const frame = fc.record({ width: fc.integer({ min: 200, max: 800 }), height: fc.constant(HEIGHTS.prices) })
    fc.assert(
      fc.property(fc.array(spot, { maxLength: 60 }), frame, (spots, { width, height }) => {
        const placed = placeMarks(
          spots.map((one, mark) => ({ ...one, mark })),
          { width, height },
        )
        expect(placed.map(({ mark }) => mark)).toEqual(placed.map(({ mark }) => mark).toSorted((a, b) => a - b))
        for (const [at, { centre }] of placed.entries()) {
          expect(centre.x >= MARK / 2 && centre.x <= width - MARK / 2).toBe(true)
          expect(centre.y >= MARK / 2 && centre.y <= height - MARK / 2).toBe(true)
          for (const { centre: other } of placed.slice(at + 1))
            expect(Math.max(Math.abs(centre.x - other.x), Math.abs(centre.y - other.y))).toBeGreaterThanOrEqual(MARK)
        }
      }),
    )
  })

  test('stand at their price when there is room, and stack beside it when there is none', () => {
    const at = (x: number, y: number, mark: string) => ({ x, y, mark })
    const placed = placeMarks([at(100, 100, 'a'), at(104, 100, 'b'), at(300, 100, 'c')], { width: 400, height: 216 })
    expect(placed.map(({ centre }) => [centre.x, centre.y])).toEqual([
      [100, 100],
      [104, 126],
      [300, 100],
    ])
  })

  test('without room are left to the table', () => {
    const many = Array.from({ length: 30 }, (_, mark) => ({ x: 50, y: 50, mark }))
    const placed = placeMarks(many, { width: 100, height: HEIGHTS.prices })
    expect(placed.length).toBeGreaterThanOrEqual(7)
    expect(placed.length).toBeLessThan(30)
  })
})

const mark = (seq: number, kind: TradeMark['kind'], amount: bigint, more: Partial<TradeMark> = {}): TradeMark => ({
  seq,
  at: seq * 60_000,
  kind,
  what: kind,
  asset: 'BTC',
  amount,
  units: null,
  price: null,
  block: null,
  redeems: false,
  opening: null,
  ...more,
})

describe('the chart', () => {
  const marks = [mark(1, 'buy', 30_000_000n), mark(2, 'refused', 90_000_000n), mark(3, 'sell', 500_000_000n)]
  const input = { marks, until: 600_000, cap: 80_000_000n, asksAbove: 50_000_000n, width: 600 }
  const xOfMinute = (n: number) => Number((MARK + ((n - 1) / 9) * (600 - 2 * MARK)).toFixed(3))
  const points = [
    { at: 60_000, price: 60_000_000_000n },
    { at: 120_000, price: null },
    { at: 180_000, price: 61_000_000_000n },
  ]

  test('breaks the line of the price where it is unknown, and ends it at the last mark', () => {
    const { line } = chartOf({ ...input, points })
    expect(line.match(/M/g)).toHaveLength(2)
    // The last price is of minute 3 of 10: what came after is not known.
    expect(line.endsWith(`M${xOfMinute(3)},${MARK}Z`)).toBe(true)
  })

  test('shows a refused amount above the cap and a trade below it, and no amount of a sale, which no cap limits', () => {
    const { bars, capY, asksY } = chartOf({ ...input, points })
    expect(bars.map(({ mark: { seq } }) => seq)).toEqual([1, 2])
    const [bought, refused] = bars
    expect(refused?.y).toBeLessThan(capY ?? 0)
    expect(bought?.y).toBeGreaterThan(asksY ?? HEIGHT)
    expect(capY).toBeLessThan(asksY ?? 0)
  })

  test('shows what opens a short, and not the purchase that closes it', () => {
    const short = [
      mark(1, 'sell', 30_000_000n, { opening: true }),
      mark(2, 'buy', 30_000_000n, { opening: false }),
      mark(3, 'refused', 90_000_000n),
    ]
    expect(chartOf({ ...input, marks: short, points: [] }).bars.map(({ mark: { seq } }) => seq)).toEqual([1, 3])
  })

  test('without a price still shows every mark, on a line in the middle', () => {
    const { line, prices, placed } = chartOf({ ...input, points: [] })
    expect([line, prices]).toEqual(['', []])
    expect(placed.map(({ point }) => point.y)).toEqual([HEIGHTS.prices / 2, HEIGHTS.prices / 2, HEIGHTS.prices / 2])
  })

  test('has no line of questions where the agent never asks', () => {
    expect(chartOf({ ...input, points, asksAbove: 80_000_000n }).asksY).toBeNull()
    expect(chartOf({ ...input, points, asksAbove: null }).asksY).toBeNull()
  })
})
