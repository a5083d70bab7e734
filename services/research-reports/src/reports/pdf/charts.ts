import { scaleLinear, scaleLog, scaleTime } from 'd3-scale'
import { area, line } from 'd3-shape'
import type { Language } from '../rules/report.ts'
import { clockOf, dayOf, tickText } from './number-text.ts'
import { drawLegend, LEGEND_HEIGHT, triangle, type LegendItem } from './chart-legend.ts'
import { color, round, type Box, type Pen } from './pen.ts'

/** Values over time; null leaves a gap in the line. */
export interface Series {
  readonly values: readonly (number | null)[]
  readonly stroke: string
  readonly width?: number
  readonly dash?: boolean
}

export interface TimeChart {
  readonly lang: Language
  /** Start of each bucket, milliseconds. */
  readonly times: readonly number[]
  readonly bucketMs: number
  readonly lines: readonly Series[]
  /** Interval around a line. */
  readonly band?: { readonly low: readonly (number | null)[]; readonly high: readonly (number | null)[] }
  /** Bars over the lower quarter, with a scale of their own. */
  readonly bars?: readonly (number | null)[]
  readonly format: (value: number) => string
  /** Times of events, marked at the top of the plot. */
  readonly marks?: readonly number[]
  /** A time that divides the plot. */
  readonly divide?: number
  /** What each sign means, above the plot. */
  readonly legend?: readonly LegendItem[]
  /** Ends of the scale; by default those of the values. */
  readonly domain?: readonly [number, number]
}

const AXIS = { left: 52, bottom: 16, top: 4 } as const
const LOG_FROM = 30
const DAY_MS = 86_400_000

/** Draws lines over time with an interval and bars. A single value is a dot. Draws nothing outside the box. */
export function timeChart(pen: Pen, box: Box, chart: TimeChart): void {
  const { doc } = pen
  const legend = chart.legend === undefined ? 0 : LEGEND_HEIGHT
  if (chart.legend !== undefined) drawLegend(pen, { x: box.x + AXIS.left, y: box.y }, chart.legend)
  const plot = {
    x: box.x + AXIS.left,
    y: box.y + AXIS.top + legend,
    width: box.width - AXIS.left,
    height: box.height - AXIS.bottom - AXIS.top - legend,
  }
  const known = [...chart.lines.flatMap((one) => one.values), ...(chart.band?.low ?? []), ...(chart.band?.high ?? [])]
  const values = known.filter((value) => value !== null)
  const first = chart.times[0] ?? 0
  const last = (chart.times.at(-1) ?? 0) + chart.bucketMs
  const x = scaleTime([new Date(first), new Date(last)], [plot.x, plot.x + plot.width])
  const y = valueScale(chart.domain ?? values, [plot.y + plot.height, plot.y])
  for (const tick of y.ticks(4).filter(isSparseTick)) {
    const at = round(y(tick))
    if (at < plot.y - 1 || at > plot.y + plot.height + 1) continue
    pen.line(plot.x, at, plot.x + plot.width, at, { width: 0.4 })
    pen.text(tickText(chart.format(tick)), box.x, at - 4.5, AXIS.left - 6, {
      size: 7,
      color: color.muted,
      align: 'right',
    })
  }
  timeTicks(pen, plot, box.x + box.width, x, chart.lang)
  const middle = chart.bucketMs / 2
  const points = <T>(read: (index: number) => T) =>
    chart.times.map((time, index) => ({ at: x(time + middle), value: read(index) }))

  doc.save()
  doc.rect(plot.x, plot.y, plot.width, plot.height).clip()
  if (chart.bars !== undefined)
    drawBars(pen, plot, chart.bars, (index) => [
      x(chart.times[index] ?? 0),
      x((chart.times[index] ?? 0) + chart.bucketMs),
    ])
  const yOf = (value: number) => round(y(value))
  if (chart.band !== undefined) drawBand(pen, points(bandAt(chart.band)), yOf)
  if (chart.divide !== undefined) drawDivide(pen, plot, round(x(chart.divide)))
  for (const series of chart.lines)
    drawSeries(
      pen,
      series,
      points((index) => series.values[index] ?? null),
      yOf,
    )
  // A mark at an end of the plot is moved inside, where it is whole.
  const inside = (at: number) => Math.min(plot.x + plot.width - 3, Math.max(plot.x + 3, at))
  for (const time of chart.marks ?? []) triangle(pen, round(inside(x(time))), plot.y + 1)
  doc.restore()
}

interface At<T> {
  readonly at: number
  readonly value: T
}
type Range = readonly [number | null, number | null]

const bandAt =
  ({ low, high }: NonNullable<TimeChart['band']>) =>
  (index: number): Range => [low[index] ?? null, high[index] ?? null]

function drawBand({ doc }: Pen, data: readonly At<Range>[], yOf: (value: number) => number): void {
  const path = area<At<Range>>()
    .defined(({ value }) => value[0] !== null && value[1] !== null)
    .x(({ at }) => round(at))
    .y0(({ value }) => yOf(value[0] ?? 0))
    .y1(({ value }) => yOf(value[1] ?? 0))([...data])
  if (path !== null) doc.path(path).fill(color.accentLight)
}

function drawDivide({ doc }: Pen, plot: Box, at: number): void {
  doc
    .moveTo(at, plot.y)
    .lineTo(at, plot.y + plot.height)
    .lineWidth(0.8)
  doc.dash(1.5, { space: 1.5 }).stroke(color.faint).undash()
}

function drawSeries({ doc }: Pen, series: Series, data: readonly At<number | null>[], yOf: (value: number) => number) {
  const path = line<At<number | null>>()
    .defined(({ value }) => value !== null)
    .x(({ at }) => round(at))
    .y(({ value }) => yOf(value ?? 0))([...data])
  if (path !== null) {
    doc
      .path(path)
      .lineWidth(series.width ?? 1.2)
      .lineJoin('round')
    if (series.dash === true) doc.dash(2.5, { space: 2 })
    doc.stroke(series.stroke).undash()
  }
  // A value without neighbours would be invisible: a line needs two.
  for (const [index, { at, value }] of data.entries()) {
    const alone = (data[index - 1]?.value ?? null) === null && (data[index + 1]?.value ?? null) === null
    if (value !== null && alone) doc.circle(round(at), yOf(value), 1.8).fill(series.stroke)
  }
}

/** Returns a scale of values: logarithmic if they span more than a factor of 30. */
function valueScale(values: readonly number[], range: [number, number]) {
  const low = Math.min(...values)
  const high = Math.max(...values)
  if (low > 0 && high / low > LOG_FROM) return scaleLog([low, high], range).nice()
  const pad = high === low ? Math.abs(high) * 0.05 || 1 : 0
  return scaleLinear([low - pad, high + pad], range).nice(4)
}

/** Keeps few ticks: of the nine ticks a decade of a logarithmic scale, the powers of ten. */
function isSparseTick(tick: number, _index: number, all: readonly number[]): boolean {
  return all.length <= 7 || Number.isInteger(Math.round(Math.log10(tick) * 1e9) / 1e9)
}

type TimeScale = ReturnType<typeof scaleTime<number, number>>

/** Draws at most eight marks with their times below the plot, up to `right`. */
function timeTicks(pen: Pen, plot: Box, right: number, x: TimeScale, lang: Language): void {
  const [from, to] = x.domain().map(Number) as [number, number]
  const hours = (to - from) / 3_600_000
  const stepHours = [1, 2, 4, 6, 12, 24, 48, 72, 168, 336].find((step) => hours / step <= 8) ?? 720
  const step = stepHours * 3_600_000
  const first = Math.ceil(from / step) * step
  const times = Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, place) => first + place * step)
    // A label that would leave the box is omitted with its mark: moved, it would stand under another time.
    .filter((time) => x(time) + 16 <= right)
  // Hours need a day: the mark at midnight names it, or the first mark if the chart has no midnight.
  const midnights = times.filter((time) => time % DAY_MS === 0)
  const days = new Set(midnights.length > 0 ? midnights : times.slice(0, 1))
  for (const time of times) {
    const at = round(x(time))
    const instant = new Date(time)
    const isMidnight = time % DAY_MS === 0
    const words = [days.has(time) ? dayOf(instant, lang) : null, isMidnight ? null : clockOf(instant)]
    pen.line(at, plot.y + plot.height, at, plot.y + plot.height + 3, { stroke: color.faint, width: 0.4 })
    pen.text(words.filter((word) => word !== null).join(' '), at - 22, plot.y + plot.height + 5, 44, {
      size: 7,
      color: color.muted,
      align: 'center',
    })
  }
}

/** Draws bars over the lower quarter of the plot; `spanOf` returns where the bucket of a bar begins and ends. */
function drawBars(
  { doc }: Pen,
  plot: Box,
  bars: readonly (number | null)[],
  spanOf: (index: number) => readonly [number, number],
): void {
  const most = Math.max(...bars.map((value) => value ?? 0))
  if (most <= 0) return
  const height = scaleLinear([0, most], [0, plot.height * 0.25])
  for (const [index, value] of bars.entries()) {
    const [start, end] = spanOf(index)
    const width = Math.max(0.4, (end - start) * 0.8)
    const tall = round(height(value ?? 0))
    if (tall > 0) doc.rect(round(start), round(plot.y + plot.height - tall), round(width), tall)
  }
  doc.fill(color.bar)
}

export interface Mark {
  readonly value: number
  readonly shape: 'dot' | 'ring' | 'tick'
}

/** Draws a line from 0 to 100 with marks on it. */
export function percentileTrack({ doc }: Pen, x: number, y: number, width: number, marks: readonly Mark[]): void {
  doc.rect(x, y - 1.5, width, 3).fill(color.line)
  doc
    .moveTo(x + width / 2, y - 4)
    .lineTo(x + width / 2, y + 4)
    .lineWidth(0.6)
    .stroke(color.faint)
  for (const { value, shape } of marks) {
    const at = round(x + (value / 100) * width)
    if (shape === 'dot') doc.circle(at, y, 4).fill(color.accent)
    else if (shape === 'ring') doc.circle(at, y, 3.6).lineWidth(1.4).fillAndStroke('#ffffff', color.second)
    else doc.rect(at - 1, y - 5.5, 2, 11).fill(color.warn)
  }
}
