import { timeChart } from './charts.ts'
import { axisPrice, price, usd } from './number-text.ts'
import { color, INNER, PAGE } from './pen.ts'
import { heading, type Sheet } from './sheet.ts'

const CELL_MS = 7_200_000
const X = PAGE.margin

/** Draws price and volume over time in a box of a height, headings and legend included; returns the `y` below. */
export function priceChart(sheet: Sheet, top: number, height: number): number {
  const { pen, say, lang, research } = sheet
  const { market, meta, events } = research
  const { series } = market
  const y = heading(sheet, say('chartTitle', { quote: market.quote }), top)
  const closes = series.map(({ close }) => close)
  const known = closes.filter((close) => close !== null)
  const none = meta.lifecycle === 'delisted' ? 'noChartDelisted' : 'noChartYet'
  if (known.length < 2) return pen.paragraph(say(none), X, y, INNER, { color: color.muted, linesMax: 2 })
  const times = series.map(({ start }) => Date.parse(start))
  const bars = series.map(({ volume_usd }) => volume_usd)
  const most = Math.max(0, ...bars.map((value) => value ?? 0))
  const alerts = [...events.past_alerts, ...(meta.alerts ?? [])].map(({ opened_at }) => Date.parse(opened_at))
  const first = times[0] ?? 0
  const marks = alerts.filter((at) => at >= first)
  const scanned = series.find(({ source }) => source === 'scans')
  const hasHours = series.some(({ source }) => source === 'hours')
  const alt = say('priceAlt', { first: price(known[0] ?? null), last: price(known.at(-1) ?? null), n: series.length })
  pen.figure(alt, () =>
    timeChart(
      pen,
      { x: X, y, width: INNER, height: height - (y - top) },
      {
        lang,
        times,
        bucketMs: CELL_MS,
        lines: [{ values: closes, stroke: color.accent }],
        band: { low: series.map(({ low }) => low), high: series.map(({ high }) => high) },
        bars,
        marks,
        ...(hasHours && scanned !== undefined ? { divide: Date.parse(meta.from) } : {}),
        format: axisPrice,
        legend: [
          { shape: 'line', ink: color.accent, text: say('legendClose', { quote: market.quote }) },
          { shape: 'area', ink: color.accentLight, text: say('legendRange') },
          ...(most > 0
            ? [{ shape: 'area', ink: color.bar, text: say('legendVolume', { most: usd(most) }) } as const]
            : []),
          ...(marks.length > 0 ? [{ shape: 'mark', ink: color.bad, text: say('legendAlert') } as const] : []),
          ...(hasHours && scanned !== undefined
            ? [{ shape: 'divide', ink: color.faint, text: say('legendScans') } as const]
            : []),
        ],
      },
    ),
  )
  return top + height
}
