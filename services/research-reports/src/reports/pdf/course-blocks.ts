import type { LegendItem } from './chart-legend.ts'
import { timeChart } from './charts.ts'
import { atLeast, bps, percent, usd } from './number-text.ts'
import { color, INNER, PAGE } from './pen.ts'
import { heading, type Sheet } from './sheet.ts'

const CELL_MS = 7_200_000
const X = PAGE.margin
const HEIGHT = 122

/** Returns whether the course of a measure has enough cells for a chart. */
export const hasCourse = ({ research }: Sheet, measure: 'spread_bps' | 'depth_2pct_usd'): boolean =>
  research.market.series.filter((cell) => cell[measure] !== null).length > 1

/** Draws the course of spread or depth. Intervals exist where the pair was scanned. */
export function courseBlock(sheet: Sheet, top: number, measure: 'spread' | 'depth', more: number): number {
  const height = HEIGHT + more
  const { pen, say, lang, research } = sheet
  const spread = measure === 'spread'
  const { series } = research.market
  const cells = series.slice(series.findIndex((cell) => (spread ? cell.spread_bps : cell.depth_2pct_usd) !== null))
  const scanned = new Map(research.kpi_2h.buckets.map((bucket) => [bucket.start, bucket]))
  const y = heading(sheet, say(`${measure}Title`), top)
  const middle = cells.map((cell) => (spread ? cell.spread_bps : cell.depth_2pct_usd))
  const buckets = cells.map(({ start }) => scanned.get(start))
  const last = cells.findLastIndex((_, at) => middle[at] !== null)
  const newest = middle[last] ?? null
  // Lower bounds are a line of their own: joined to exact values it would show a change that never was.
  const bounds = cells.map((cell) => !spread && cell.depth_is_lower_bound)
  const exact = (values: readonly (number | null | undefined)[]) =>
    values.map((value, at) => (bounds[at] === true ? null : (value ?? null)))
  const isBound = bounds.includes(true)
  const tail = exact(buckets.map((bucket) => (spread ? bucket?.spread_p95_bps : bucket?.depth_p5_usd)))
  const low = exact(buckets.map((bucket) => (spread ? bucket?.spread_low_bps : bucket?.depth_low_usd)))
  const high = exact(buckets.map((bucket) => (spread ? bucket?.spread_high_bps : bucket?.depth_high_usd)))
  const legend: LegendItem[] = [
    { shape: 'line', ink: color.accent, text: say('legendMedian') },
    ...(low.some((value) => value !== null)
      ? [{ shape: 'area', ink: color.accentLight, text: say('legendInterval') } as const]
      : []),
    ...(tail.some((value) => value !== null)
      ? [{ shape: 'dash', ink: color.warn, text: say(spread ? 'legendTail95' : 'legendTail5') } as const]
      : []),
    ...(isBound ? [{ shape: 'dash', ink: color.accent, text: `≥ ${say('legendBound')}` } as const] : []),
  ]
  pen.figure(say(`${measure}Alt`, { value: spread ? bps(newest) : atLeast(bounds[last] === true, usd(newest)) }), () =>
    timeChart(
      pen,
      { x: X, y, width: INNER, height },
      {
        lang,
        times: cells.map(({ start }) => Date.parse(start)),
        bucketMs: CELL_MS,
        lines: [
          { values: tail, stroke: color.warn, width: 0.8, dash: true },
          { values: exact(middle), stroke: color.accent },
          ...(isBound
            ? [
                {
                  values: middle.map((value, at) => (bounds[at] === true ? value : null)),
                  stroke: color.accent,
                  dash: true,
                },
              ]
            : []),
        ],
        band: { low, high },
        legend,
        format: spread ? bps : usd,
      },
    ),
  )
  return y + height
}

/** Draws the share of good scans over time. */
export function coverageBlock(sheet: Sheet, top: number, more: number): number {
  const { pen, say, lang, research } = sheet
  const { data_health: health, kpi_2h } = research
  const { buckets } = kpi_2h
  const y = heading(sheet, say('coverageTitle'), top)
  const height = 96 + more
  pen.figure(say('coverageAlt', { ok: health.ok, expected: health.expected }), () =>
    timeChart(
      pen,
      { x: X, y, width: INNER, height },
      {
        lang,
        times: buckets.map(({ start }) => Date.parse(start)),
        bucketMs: CELL_MS,
        lines: [
          { values: buckets.map(({ ok, expected }) => (expected === 0 ? null : ok / expected)), stroke: color.second },
        ],
        legend: [{ shape: 'line', ink: color.second, text: say('legendShare') }],
        format: (value) => percent(value, 0),
        domain: [0, 1],
      },
    ),
  )
  return y + height
}
