/** A point of a series over time; a null value is unknown and leaves a gap. */
export interface ChartPoint {
  readonly at: number
  readonly value: bigint | null
}

/** A step chart in the units of its picture. */
export interface StepChart {
  /** Path of the steps; a gap begins a new stroke. */
  readonly line: string
  /** The same, closed to the bottom. */
  readonly area: string
  /** Known points, to find the one under a finger. */
  readonly points: readonly { readonly x: number; readonly y: number; readonly index: number }[]
  /** Height at which a value stands; from 0 at the top. */
  readonly yOf: (value: bigint) => number
}

/** How large the picture is, and what it must contain beside the points. */
export interface ChartFrame {
  readonly width: number
  readonly height: number
  /** Values that must be seen, such as the stop line. */
  readonly shown: readonly bigint[]
  /** The last moment; the last value is drawn up to here. */
  readonly until: number
}

/** Part of the height that stays free above and below the values. */
const MARGIN = 0.08

/** Returns the geometry of a series: each value holds until the next one. A gap lies between unknown and known. */
export function stepChart(points: readonly ChartPoint[], { width, height, shown, until }: ChartFrame): StepChart {
  const values = [...points.flatMap(({ value }) => value ?? []), ...shown]
  const [low, high] = boundsOf(values)
  const from = points[0]?.at ?? until
  const span = Math.max(until - from, 1)
  const xOf = (at: number) => round((Math.max(at - from, 0) / span) * width)
  const yOf = (value: bigint) => {
    const share = high === low ? 0.5 : Number(((value - low) * 10_000n) / (high - low)) / 10_000
    return round(height * (1 - MARGIN) - share * height * (1 - 2 * MARGIN))
  }
  const runs = runsOf(points, until).map((run) =>
    run.map(({ at, value, index }) => ({ x: xOf(at), y: yOf(value), index })),
  )
  const strokes = runs.map((run) => run.map(({ x, y }, at) => (at === 0 ? `M${x} ${y}` : `H${x}V${y}`)).join(''))
  const areas = runs.map((run, at) => {
    const [first, last] = [run[0], run.at(-1)]
    return first === undefined || last === undefined ? '' : `${strokes[at]}V${height}H${first.x}Z`
  })
  return { line: strokes.join(''), area: areas.join(''), yOf, points: runs.flat() }
}

interface Known {
  readonly at: number
  readonly value: bigint
  readonly index: number
}

/** Splits a series at its gaps. A run ends where the next point is, since a value holds until then. */
function runsOf(points: readonly ChartPoint[], until: number): readonly (readonly Known[])[] {
  const runs: Known[][] = []
  let open: Known[] | null = null
  for (const [index, { at, value }] of points.entries()) {
    if (value === null) {
      const last = open?.at(-1)
      if (last !== undefined) open?.push({ ...last, at })
      open = null
      continue
    }
    if (open === null) runs.push((open = []))
    open.push({ at, value, index })
  }
  const last = open?.at(-1)
  if (last !== undefined && last.at < until) open?.push({ ...last, at: until })
  return runs
}

function boundsOf(values: readonly bigint[]): readonly [bigint, bigint] {
  const [first = 0n] = values
  let [low, high] = [first, first]
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return [low, high]
}

const round = (value: number): number => Math.round(value * 10) / 10

/** Returns the point that stands at a place of the picture: the last one that began before it; null without points. */
export function pointAt(chart: StepChart, x: number): StepChart['points'][number] | null {
  return chart.points.findLast((point) => point.x <= x) ?? chart.points[0] ?? null
}
