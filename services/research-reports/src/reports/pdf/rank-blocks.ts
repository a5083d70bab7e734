import type { Estimate } from '@svc/contracts/research-reports/research'
import { factorUnits, isFlag, isMeasure } from './factor-text.ts'
import { atLeast, bps, percent, points, UNKNOWN, usd } from './number-text.ts'
import { color, INNER, PAGE } from './pen.ts'
import { heading, type Sheet } from './sheet.ts'
import { table } from './table.ts'

const X = PAGE.margin
const FACTOR = { row: 15, label: 158, value: 74, points: 46, percentile: 64 } as const

/** Draws the contribution of each component to the grade. */
export function gradeBlock(sheet: Sheet, top: number): number {
  const { pen, say, research } = sheet
  const { meta } = research
  const y = heading(sheet, say('gradeTable'), top)
  const format = { bps, usd, share: percent } as const
  const columns = [
    { title: say('measure'), width: 121 },
    { title: say('value'), width: 78, align: 'right' },
    { title: say('letter'), width: 58, align: 'right' },
    { title: say('points'), width: 58, align: 'right' },
    { title: say('weight'), width: 62, align: 'right' },
    { title: say('contribution'), width: 66, align: 'right' },
    { title: say('peerPercentile'), width: INNER - 443, align: 'right' },
  ] as const
  const rows = meta.components.map((one) => [
    say(one.key),
    atLeast(one.is_lower_bound, format[one.unit](one.value)),
    { text: one.grade ?? UNKNOWN, style: { weight: 'bold' } as const },
    points(one.points),
    percent(one.weight, 0),
    points(one.contribution, 2),
    one.percentile === null ? UNKNOWN : points(one.percentile, 0),
  ])
  const total = { weight: 'bold' } as const
  const all = [
    ...rows,
    [
      { text: say('total'), style: total },
      '',
      { text: meta.grade ?? UNKNOWN, style: total },
      '',
      '',
      { text: atLeast(meta.gpa_is_lower_bound, points(meta.gpa, 2)), style: total },
      '',
    ],
  ]
  return table(pen, { x: X, y: y }, columns, all, { row: 15, size: 8 })
}

/** Draws what the risk rank is made of. */
export function factorsBlock(sheet: Sheet, begin: number): number {
  const { pen, say, research } = sheet
  const { risk } = research.meta
  let top = heading(sheet, say('factors'), begin)
  if (risk === null) return top
  top = pen.paragraph(say('factorsLead'), X, top, INNER, { size: 8, color: color.muted, linesMax: 3 }) + 4
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
    const label = isMeasure(key) || isFlag(key) ? say(`factor_${key}`) : key
    pen.text(label, X, y, FACTOR.label - 6, { size: 8.5 })
    pen.text(
      isMeasure(key) ? atLeast(is_lower_bound, factorUnits[key](value)) : '',
      X + FACTOR.label,
      y,
      FACTOR.value - 10,
      {
        size: 8.5,
        align: 'right',
      },
    )
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

/** Draws the medians over the whole period with their intervals. */
export function estimatesBlock(sheet: Sheet, top: number): number {
  const { pen, say, research } = sheet
  const { summary } = research.kpi_2h
  const y = heading(sheet, say('estimates'), top)
  const { volume_coverage: known } = summary
  const volumeTitle =
    known === null ? say('volume_2h') : say('volumeKnown', { title: say('volume_2h'), share: percent(known) })
  const row = (title: string, estimate: Estimate, format: (value: number | null) => string) => [
    title,
    { text: format(estimate.value), style: { weight: 'bold' } as const },
    format(estimate.low),
    format(estimate.high),
    estimate.n === 0 ? UNKNOWN : say(estimate.basis === 'buckets' ? 'basisBuckets' : 'basisScans', { n: estimate.n }),
  ]
  return table(
    pen,
    { x: X, y: y },
    [
      { title: say('measure'), width: 200 },
      { title: say('median'), width: 64, align: 'right' },
      { title: say('low'), width: 64, align: 'right' },
      { title: say('high'), width: 64, align: 'right' },
      { title: say('basis'), width: INNER - 392, align: 'right' },
    ],
    [
      row(say('spread'), summary.spread_bps, bps),
      row(say('depth'), summary.depth_2pct_usd, (value) => atLeast(summary.depth_is_lower_bound, usd(value))),
      row(say('cost_1k'), summary.cost_1k_bps, bps),
      row(say('cost_10k'), summary.cost_10k_bps, bps),
      row(volumeTitle, summary.volume_usd, usd),
      row(say('volatility_2h'), summary.volatility_bps, bps),
    ],
    { row: 15, size: 8 },
  )
}
