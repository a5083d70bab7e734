import type { Estimate } from '@svc/contracts/research-reports/research'
import { timeChart } from './charts.ts'
import { atLeast, bps, percent, points, UNKNOWN, usd } from './number-text.ts'
import { color, INNER, PAGE } from './pen.ts'
import { heading, type Sheet } from './sheet.ts'
import { table } from './table.ts'

const BUCKET_MS = 7_200_000
const X = PAGE.margin
const FACTOR = { row: 20, label: 158, value: 74, points: 46, percentile: 64 } as const

/** Draws the factors of the risk rank, and spread and depth over time. */
export function factorsPage(sheet: Sheet): void {
  let y = heading(sheet, sheet.say('factors'), 40)
  y = sheet.pen.paragraph(sheet.say('factorsLead'), X, y, INNER, { size: 8, color: color.muted, linesMax: 3 })
  y = factors(sheet, y + 6)
  y = course(sheet, y + 18, 'spread')
  y = course(sheet, y + 14, 'depth')
  estimates(sheet, y + 14)
}

const units = {
  volume_24h_usd: usd,
  depth_2pct_usd: usd,
  spread_bps: bps,
  zero_trade_share: (value: number | null) => (value === null ? UNKNOWN : `${points(value * 100)}%`),
  amihud: (value: number | null) => (value === null ? UNKNOWN : `${points(value, 2)} bp/$1k`),
  quote_markets: (value: number | null) => points(value, 0),
  regulated_venues: (value: number | null) => points(value, 0),
} as const
const flagKeys = [
  'caution',
  'warning',
  'margin_delisting',
  'delisted_elsewhere',
  'delisting_announced',
  'crisis_1',
  'crisis_2',
  'crisis_3',
] as const
type FlagKey = (typeof flagKeys)[number]
const isUnit = (key: string): key is keyof typeof units => Object.hasOwn(units, key)
const isFlag = (key: string): key is FlagKey => (flagKeys as readonly string[]).includes(key)

function factors({ pen, say, research }: Sheet, top: number): number {
  const { risk } = research.meta
  if (risk === null) return pen.paragraph(say('noRisk'), X, top, INNER, { color: color.muted })
  const barLeft = X + FACTOR.label + FACTOR.value
  const barWidth = INNER - FACTOR.label - FACTOR.value - FACTOR.points - FACTOR.percentile - 10
  const small = { size: 7.5, weight: 'bold', color: color.muted } as const
  pen.text(say('factor'), X, top, FACTOR.label, small)
  pen.text(say('value'), X + FACTOR.label, top, FACTOR.value - 10, { ...small, align: 'right' })
  pen.text(say('points'), barLeft + barWidth, top, FACTOR.points, { ...small, align: 'right' })
  pen.text(say('percentile'), X + INNER - FACTOR.percentile, top, FACTOR.percentile, { ...small, align: 'right' })
  let y = top + 15
  const most = Math.max(1, ...risk.factors.map((factor) => factor.points))
  for (const { key, value, is_lower_bound, percentile, points: given } of risk.factors) {
    const label = isUnit(key) || isFlag(key) ? say(`factor_${key}`) : key
    pen.text(label, X, y, FACTOR.label - 6, { size: 8.5 })
    pen.text(isUnit(key) ? atLeast(is_lower_bound, units[key](value)) : '', X + FACTOR.label, y, FACTOR.value - 10, {
      size: 8.5,
      align: 'right',
    })
    pen.rect({ x: barLeft, y: y + 2, width: barWidth, height: 9 }, color.ground, 2)
    if (given > 0)
      pen.rect(
        { x: barLeft, y: y + 2, width: Math.max(1, (given / most) * barWidth), height: 9 },
        isFlag(key) ? color.bad : color.accent,
      )
    pen.text(points(given), barLeft + barWidth, y, FACTOR.points, { size: 8.5, weight: 'bold', align: 'right' })
    const rank = percentile === null ? UNKNOWN : points(percentile)
    pen.text(rank, X + INNER - FACTOR.percentile, y, FACTOR.percentile, { size: 8.5, align: 'right' })
    y += FACTOR.row
  }
  pen.line(X, y - 2, X + INNER, y - 2)
  pen.text(say('risk'), X, y + 2, FACTOR.label, { size: 8.5, weight: 'bold' })
  const score = risk.score === null ? UNKNOWN : String(risk.score)
  pen.text(score, barLeft + barWidth, y + 2, FACTOR.points, { size: 8.5, weight: 'bold', align: 'right' })
  pen.text(risk.model_version, X + FACTOR.label, y + 2, 200, { size: 7.5, color: color.muted })
  return y + 16
}

function course(sheet: Sheet, top: number, measure: 'spread' | 'depth'): number {
  const { pen, say, lang, research } = sheet
  const { buckets } = research.kpi_2h
  const y = heading(sheet, say(`${measure}Chart`), top)
  const spread = measure === 'spread'
  const middle = buckets.map((bucket) => (spread ? bucket.spread_bps : bucket.depth_2pct_usd))
  if (middle.filter((value) => value !== null).length < 2)
    return pen.paragraph(say('noChart'), X, y, INNER, { color: color.muted })
  const newest = middle.findLast((value) => value !== null) ?? null
  const isBound = !spread && research.kpi_2h.summary.depth_is_lower_bound
  const box = { x: X, y, width: INNER, height: 128 }
  pen.figure(say(`${measure}Alt`, { value: spread ? bps(newest) : atLeast(isBound, usd(newest)) }), () =>
    timeChart(pen, box, {
      lang,
      times: buckets.map(({ start }) => Date.parse(start)),
      bucketMs: BUCKET_MS,
      lines: [
        {
          values: buckets.map((bucket) => (spread ? bucket.spread_p95_bps : bucket.depth_p5_usd)),
          stroke: color.warn,
          width: 0.8,
          dash: true,
        },
        { values: middle, stroke: color.accent },
      ],
      band: {
        low: buckets.map((bucket) => (spread ? bucket.spread_low_bps : bucket.depth_low_usd)),
        high: buckets.map((bucket) => (spread ? bucket.spread_high_bps : bucket.depth_high_usd)),
      },
      format: spread ? bps : (value) => atLeast(isBound && value > 0, usd(value)),
    }),
  )
  return y + box.height
}

function estimates(sheet: Sheet, top: number): void {
  const { pen, say, research } = sheet
  const { summary } = research.kpi_2h
  const y = heading(sheet, say('estimates'), top)
  const { volume_coverage: known } = summary
  const volumeTitle = known === null ? say('volume_2h') : `${say('volume_2h')} (${percent(known)})`
  const row = (title: string, estimate: Estimate, format: (value: number | null) => string) => [
    title,
    { text: format(estimate.value), style: { weight: 'bold' } as const },
    format(estimate.low),
    format(estimate.high),
    estimate.n === 0 ? UNKNOWN : say(estimate.basis === 'buckets' ? 'basisBuckets' : 'basisScans', { n: estimate.n }),
  ]
  table(
    pen,
    X,
    y,
    [
      { title: say('measure'), width: 150 },
      { title: say('median'), width: 80, align: 'right' },
      { title: say('low'), width: 80, align: 'right' },
      { title: say('high'), width: 80, align: 'right' },
      { title: say('basis'), width: INNER - 390, align: 'right' },
    ],
    [
      row(say('spread'), summary.spread_bps, bps),
      row(say('depth'), summary.depth_2pct_usd, (value) => atLeast(summary.depth_is_lower_bound, usd(value))),
      row(say('cost_1k'), summary.cost_1k_bps, bps),
      row(say('cost_10k'), summary.cost_10k_bps, bps),
      row(volumeTitle, summary.volume_usd, usd),
      row(say('volatility_2h'), summary.volatility_bps, bps),
    ],
  )
}
