import { scaleLinear, scaleTime } from 'd3-scale'
import { curveStepAfter, line } from 'd3-shape'
import { priceAt, type PricePoint, type TradeMark } from '../../lib/trade-marks.ts'
import { MARK, placeMarks, type Placed, type Spot } from './place.ts'

/** Heights of the parts of the picture, px: the prices, what parts them from the amounts, the amounts, and the time axis. */
export const HEIGHTS = { prices: 216, gap: 28, amounts: 72, axis: 24 } as const
const AMOUNTS_TOP = HEIGHTS.prices + HEIGHTS.gap
/** Height of the whole picture, px. */
export const HEIGHT = AMOUNTS_TOP + HEIGHTS.amounts + HEIGHTS.axis
/** Part of the amounts that stays free above the greatest. */
const HEADROOM = 1.15
const UNIT = 1e6

/** What is drawn. Times are milliseconds since 1970, amounts USDC base units. */
export interface ChartInput {
  readonly points: readonly PricePoint[]
  /** Oldest first. */
  readonly marks: readonly TradeMark[]
  /** The last moment. */
  readonly until: number
  /** Limits that stand as lines over the amounts; null for none. */
  readonly cap: bigint | null
  readonly asksAbove: bigint | null
  /** px. */
  readonly width: number
}

/** A line at a price or a time, with its label. */
interface Tick {
  readonly at: number
  readonly value: number
  readonly label: string
}

/** The geometry of the picture, px. */
export interface Chart {
  /** Path of the price; a gap begins a new stroke. Empty without a price. */
  readonly line: string
  readonly prices: readonly Tick[]
  readonly times: readonly { readonly at: number; readonly value: Date }[]
  readonly placed: readonly Placed<TradeMark>[]
  readonly bars: readonly (Spot & { readonly mark: TradeMark; readonly height: number })[]
  /** Heights of the limits over the amounts. */
  readonly capY: number | null
  readonly asksY: number | null
  readonly base: number
}

/** Returns the geometry of what is drawn. */
export function chartOf({ points, marks, until, cap, asksAbove, width }: ChartInput): Chart {
  const from = Math.min(until, ...points.map(({ at }) => at), ...marks.map(({ at }) => at))
  const xOf = scaleTime()
    .domain([from, Math.max(until, from + 1)])
    .range([MARK, width - MARK])
  const known = [...points.map(({ price }) => price), ...marks.map(({ price }) => price)].filter((one) => one !== null)
  const yOf = priceScale(known.map(numberOf))
  const spots = marks.map((mark) => {
    const price = mark.price ?? priceAt(points, mark.at)
    return { mark, x: xOf(mark.at), y: price === null || yOf === null ? HEIGHTS.prices / 2 : yOf(numberOf(price)) }
  })
  // Caps limit what opens: a short opens by a sale, and a purchase may close it.
  const tried = marks.filter(({ kind, opening }) => opening ?? kind !== 'sell')
  const most = Math.max(...tried.map(({ amount }) => numberOf(amount ?? 0n)), numberOf(cap ?? 0n), 1)
  const base = AMOUNTS_TOP + HEIGHTS.amounts
  const amountY = scaleLinear()
    .domain([0, most * HEADROOM])
    .range([base, AMOUNTS_TOP])
  return {
    line: yOf === null ? '' : (pathOf(points, xOf, yOf) ?? ''),
    prices:
      yOf === null
        ? []
        : yOf.ticks(4).map((value) => ({ at: yOf(value), value, label: yOf.tickFormat(4, ',f')(value) })),
    times: xOf.ticks(Math.max(2, Math.floor(width / 130))).map((value) => ({ at: xOf(value), value })),
    placed: placeMarks(spots, { width, height: HEIGHTS.prices }),
    bars: tried.flatMap((mark) => {
      if (mark.amount === null) return []
      const y = amountY(numberOf(mark.amount))
      return [{ mark, x: xOf(mark.at), y, height: base - y }]
    }),
    capY: cap === null ? null : amountY(numberOf(cap)),
    asksY: asksAbove === null || (cap !== null && asksAbove >= cap) ? null : amountY(numberOf(asksAbove)),
    base,
  }
}

const numberOf = (units: bigint): number => Number(units) / UNIT

/** Returns the heights of prices; null without one. */
function priceScale(prices: readonly number[]) {
  if (prices.length === 0) return null
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  // A price that never moved stands in the middle.
  const room = high === low ? Math.max(high * 0.01, 1e-6) : 0
  return scaleLinear()
    .domain([low - room, high + room])
    .range([HEIGHTS.prices - MARK, MARK])
}

/** Returns the path of the price: each holds until the next one, and the line ends at the last: what came after is not known. */
function pathOf(
  points: readonly PricePoint[],
  xOf: (at: number) => number,
  yOf: (price: number) => number,
): string | null {
  const held = points.flatMap((point, index): readonly PricePoint[] => {
    const before = points[index - 1]
    return point.price === null && before !== undefined && before.price !== null
      ? [{ at: point.at, price: before.price }, point]
      : [point]
  })
  return line<PricePoint>()
    .defined(({ price }) => price !== null)
    .x(({ at }) => xOf(at))
    .y(({ price }) => yOf(numberOf(price ?? 0n)))
    .curve(curveStepAfter)(held)
}
