import type { HistoryPoint } from '@svc/contracts/market-data/history'

/** Figures of the past that a chart can show. */
export const MEASURES = ['gpa', 'risk_score', 'spread_bps', 'depth_2pct_usd', 'volume_24h_usd', 'price'] as const
export type Measure = (typeof MEASURES)[number]

export const STEP_MS = { '5m': 300_000, '1h': 3_600_000, '1d': 86_400_000 } as const
export type Step = keyof typeof STEP_MS

/** What a chart of the past needs, in the units of its drawing. */
export interface HistoryLine {
  readonly path: string
  /** The values that are lower bounds, which are no part of `path`: joined, they would show a change that never was. */
  readonly bounds: string
  readonly low: number
  readonly high: number
  /** The least value is a lower bound: no exact one is as small. */
  readonly lowIsBound: boolean
  /** The greatest value is a lower bound: a value that is one, whichever, may be greater than all that was measured. */
  readonly highIsBound: boolean
  readonly count: number
}

interface Frame {
  readonly from: string
  readonly to: string
  readonly step: Step
  readonly width: number
  readonly height: number
}

/** Fixed ends of measures that have them; the others are drawn between their least and greatest value. */
const ENDS: Partial<Record<Measure, readonly [number, number]>> = { gpa: [0, 4.3], risk_score: [0, 100] }

/** Returns whether a figure of a point is a lower bound. */
export const isBound = (point: HistoryPoint, measure: Measure): boolean =>
  measure === 'depth_2pct_usd' ? point.depth_is_lower_bound : measure === 'gpa' && point.gpa_is_lower_bound

/** Returns the line of a measure. A step without a board, or with an unknown figure, is a gap. Null without a figure. */
export function historyLine(points: readonly HistoryPoint[], measure: Measure, frame: Frame): HistoryLine | null {
  const known = points.flatMap((point) => point[measure] ?? [])
  if (known.length === 0) return null
  const ends = ENDS[measure]
  const [low, high] = ends ?? [Math.min(...known), Math.max(...known)]
  const isExact = (point: HistoryPoint) => point[measure] !== null && !isBound(point, measure)
  const exact = points.filter(isExact)
  const lowIsBound = ends === undefined && !exact.some((point) => point[measure] === low)
  const highIsBound = ends === undefined && exact.length < known.length
  const [start, end] = [Date.parse(frame.from), Date.parse(frame.to)]
  const x = (at: number) => round(Math.min(1, Math.max(0, (at - start) / (end - start))) * frame.width)
  const y = (value: number) =>
    round(high === low ? frame.height / 2 : (1 - (value - low) / (high - low)) * frame.height)
  const pathOf = (ofBounds: boolean) => {
    let path = ''
    let until = Number.NaN
    for (const point of points) {
      const value = point[measure]
      const at = Date.parse(point.at)
      if (value === null || isBound(point, measure) !== ofBounds) continue
      path += `${at === until ? `V${y(value)}` : `M${x(at)} ${y(value)}`}H${x(at + STEP_MS[frame.step])}`
      until = at + STEP_MS[frame.step]
    }
    return path
  }
  return { path: pathOf(false), bounds: pathOf(true), low, high, lowIsBound, highIsBound, count: known.length }
}

const round = (value: number): number => Math.round(value * 100) / 100
