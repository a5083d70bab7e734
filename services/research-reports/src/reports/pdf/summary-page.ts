import type { Lifecycle } from '@svc/contracts/market-data/board'
import type { Estimate } from '@svc/contracts/research-reports/research'
import { timeChart } from './charts.ts'
import { atLeast, axisPrice, bps, minuteOf, percent, points, price, UNKNOWN, usd, whole } from './number-text.ts'
import { color, INNER, PAGE } from './pen.ts'
import { heading, type Sheet } from './sheet.ts'
import { table } from './table.ts'

const BUCKET_MS = 7_200_000
const X = PAGE.margin

/** Draws the first page of every report. */
export function summaryPage(sheet: Sheet): void {
  let y = header(sheet)
  y = tiles(sheet, y)
  y = assessment(sheet, y + 14)
  y = priceChart(sheet, y + 10)
  gradeTable(sheet, y + 12)
}

function header(sheet: Sheet): number {
  const { pen, say, research } = sheet
  const { meta } = research
  pen.rect({ x: 0, y: 0, width: PAGE.width, height: 6 }, color.accent)
  const top = crisisBanner(sheet)
  pen.text(`${say('title')} · ${meta.exchange}`, X, top + 29, INNER / 2, { size: 10, color: color.muted })
  pen.text(meta.symbol, X, top + 44, INNER, { size: meta.symbol.length > 24 ? 14 : 24, weight: 'bold', tag: 'H1' })
  const period = say('period', { from: minuteOf(meta.from), to: minuteOf(meta.to) })
  pen.text(period, X + INNER / 2, top + 31, INNER / 2, { size: 8, color: color.muted, align: 'right' })
  if (meta.source !== 'replay') return top + 88
  pen.rect({ x: X, y: top + 86, width: INNER, height: 17 }, color.warnGround, 3)
  pen.text(say('replayed'), X + 8, top + 90, INNER - 16, { size: 8, color: color.warn })
  return top + 112
}

const BANNER = { top: 16, alert: 27, more: 14, shown: 2 } as const

/** Returns the height of the banner of open crises. */
function bannerHeight({ research }: Sheet): number {
  const open = research.meta.alerts?.length ?? 0
  if (open === 0) return 0
  const shown = Math.min(open, BANNER.shown)
  return 8 + shown * BANNER.alert + (open > shown ? BANNER.more : 0)
}

/** Draws the open crises of the pair at the top of the page, most severe first, where no reader can miss them. */
function crisisBanner(sheet: Sheet): number {
  const { pen, say, lang, research } = sheet
  const alerts = research.meta.alerts ?? []
  const height = bannerHeight(sheet)
  if (height === 0) return 0
  pen.rect({ x: X, y: BANNER.top, width: INNER, height }, color.badGround, 3)
  let y = BANNER.top + 5
  for (const { rule, severity, opened_at, text } of alerts.slice(0, BANNER.shown)) {
    const line = say('crisis', { rule: say(`rule_${rule}`), severity, since: minuteOf(opened_at) })
    pen.text(line, X + 8, y, INNER - 16, { size: 9, weight: 'bold', color: color.bad })
    pen.text(text[lang], X + 8, y + 13, INNER - 16, { size: 8.5, color: color.bad })
    y += BANNER.alert
  }
  const more = alerts.length - BANNER.shown
  if (more > 0) pen.text(say('crisisMore', { n: more }), X + 8, y, INNER - 16, { size: 8, color: color.bad })
  return height
}

interface Tile {
  readonly title: string
  readonly value: string
  readonly note: string
  readonly ink?: string
}

const TILE = { gap: 8, height: 62, columns: 4 } as const

function tiles(sheet: Sheet, top: number): number {
  const { pen, say, research } = sheet
  const { meta, kpi_2h, data_health: health } = research
  const { summary } = kpi_2h
  const interval = (estimate: Estimate, format: (value: number | null) => string) =>
    estimate.low === null || estimate.high === null
      ? say('noInterval')
      : say('interval', { low: format(estimate.low), high: format(estimate.high) })
  const score = meta.risk?.score ?? null
  const volume = meta.components.find(({ key }) => key === 'volume')?.value ?? null
  const all: Tile[] = [
    {
      title: say('grade'),
      value: meta.grade ?? UNKNOWN,
      note:
        meta.gpa === null ? say('unknown') : say('gpa', { gpa: atLeast(meta.gpa_is_lower_bound, points(meta.gpa, 2)) }),
    },
    {
      title: say('risk'),
      value: score === null ? UNKNOWN : String(score),
      note: meta.risk === null ? say('notYet') : say('ofHundred', { n: meta.risk.n_peers }),
      ...(score !== null && score >= 85 ? { ink: color.bad } : {}),
    },
    { title: say('spreadMedian'), value: bps(summary.spread_bps.value), note: interval(summary.spread_bps, bps) },
    {
      title: say('depthMedian'),
      value: atLeast(summary.depth_is_lower_bound, usd(summary.depth_2pct_usd.value)),
      note: interval(summary.depth_2pct_usd, usd),
    },
    { title: say('volume'), value: usd(volume), note: changeText(sheet) },
    {
      title: say('outlook'),
      value: meta.outlook === null ? UNKNOWN : say(`outlook_${meta.outlook}`),
      note: outlookNote(sheet),
      ...(meta.outlook === 'worsening' ? { ink: color.bad } : {}),
    },
    {
      title: say('lifecycle'),
      value: say(`lifecycle_${meta.lifecycle}`),
      note: meta.flags.length === 0 ? say('flagsNone') : say('flagsSome', { n: meta.flags.length }),
      ...LIFECYCLE_INK[meta.lifecycle],
    },
    {
      title: say('dataHealth'),
      value: health.grade ?? UNKNOWN,
      note: say('ofScans', { ok: whole(health.ok), expected: whole(health.expected) }),
    },
  ]
  const width = (INNER - TILE.gap * (TILE.columns - 1)) / TILE.columns
  for (const [place, tile] of all.entries()) {
    const x = X + (place % TILE.columns) * (width + TILE.gap)
    const y = top + Math.floor(place / TILE.columns) * (TILE.height + TILE.gap)
    pen.rect({ x, y, width, height: TILE.height }, color.ground, 4)
    pen.text(tile.title, x + 9, y + 8, width - 18, { size: 8, color: color.muted })
    pen.text(tile.value, x + 9, y + 20, width - 18, { size: 17, weight: 'bold', color: tile.ink ?? color.ink })
    pen.text(tile.note, x + 9, y + 46, width - 18, { size: 7.5, color: color.muted })
  }
  return top + 2 * TILE.height + TILE.gap
}

const LIFECYCLE_INK: Partial<Record<Lifecycle, { readonly ink: string }>> = {
  watch: { ink: color.warn },
  at_risk: { ink: color.bad },
  halted: { ink: color.bad },
  delisted: { ink: color.bad },
}

function outlookNote({ say, research: { meta } }: Sheet): string {
  if (meta.outlook_reason !== null) return say(`outlook_reason_${meta.outlook_reason}`)
  return say(meta.warnings.includes('crisis_open') ? 'outlook_crisis' : 'outlook_basis')
}

function changeText({ say, research }: Sheet): string {
  const closes = research.kpi_2h.buckets.slice(-13).map(({ close }) => close)
  const first = closes[0] ?? null
  const last = closes.at(-1) ?? null
  if (closes.length < 13 || first === null || last === null || first === 0) return ''
  const change = last / first - 1
  return say('change24', { change: `${change >= 0 ? '+' : ''}${percent(change)}` })
}

function assessment(sheet: Sheet, top: number): number {
  const { pen, say, lang, research } = sheet
  const { meta } = research
  let y = heading(sheet, say('reasoning'), top)
  y = pen.paragraph(meta.risk === null ? say('noRisk') : meta.risk.text[lang], X, y, INNER, { linesMax: 4 })
  if (meta.flags.length > 0) {
    const flags = meta.flags.map(({ flag }) => flag).join(', ')
    y = pen.paragraph(say('flagLine', { flags }), X, y + 2, INNER, { linesMax: 2 })
  }
  for (const warning of meta.warnings)
    if (warning !== 'replayed_data' && warning !== 'crisis_open')
      y = pen.paragraph(`▲ ${say(`warn_${warning}`)}`, X, y + 2, INNER, { color: color.warn, linesMax: 2 })
  return y
}

function priceChart(sheet: Sheet, top: number): number {
  const { pen, say, lang, research } = sheet
  const { buckets } = research.kpi_2h
  const y = heading(sheet, say('priceChart'), top)
  const coverage = research.kpi_2h.summary.volume_coverage
  if (coverage !== null)
    pen.text(say('volumeCoverage', { share: percent(coverage) }), X + INNER / 2, top + 3, INNER / 2, {
      size: 8,
      color: color.muted,
      align: 'right',
    })
  const closes = buckets.map(({ close }) => close)
  const known = closes.filter((close) => close !== null)
  if (known.length < 2) return pen.paragraph(say('noChart'), X, y, INNER, { color: color.muted })
  const box = { x: X, y, width: INNER, height: 196 - bannerHeight(sheet) }
  const alt = say('priceAlt', { first: price(known[0] ?? null), last: price(known.at(-1) ?? null), n: buckets.length })
  pen.figure(alt, () =>
    timeChart(pen, box, {
      lang,
      times: buckets.map(({ start }) => Date.parse(start)),
      bucketMs: BUCKET_MS,
      lines: [{ values: closes, stroke: color.accent }],
      band: { low: buckets.map(({ low }) => low), high: buckets.map(({ high }) => high) },
      bars: buckets.map(({ volume_usd }) => volume_usd),
      format: axisPrice,
    }),
  )
  return y + box.height
}

function gradeTable(sheet: Sheet, top: number): void {
  const { pen, say, research } = sheet
  const { meta } = research
  const y = heading(sheet, say('gradeTable'), top)
  if (meta.components.length === 0) {
    pen.paragraph(say('warn_no_board'), X, y, INNER, { color: color.muted })
    return
  }
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
  table(pen, X, y, columns, [
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
  ])
}
