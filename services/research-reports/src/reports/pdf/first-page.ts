import type { Lifecycle } from '@svc/contracts/market-data/board'
import { eventsPair } from './event-tables.ts'
import { depthText, glanceOf } from './glance.ts'
import { atLeast, bps, minuteOf, percent, points, price, signed, UNKNOWN, usd } from './number-text.ts'
import { color, dryPen, INNER, PAGE } from './pen.ts'
import { priceChart } from './price-chart.ts'
import { FOOT_TOP, heading, type Sheet } from './sheet.ts'
import { marketTables } from './market-tables.ts'

const X = PAGE.margin
const CHART = { least: 96, most: 240 } as const
const GAP = 9
/** Most height that a gap takes of what is left. */
const GROWTH_MAX = 26

/** Draws the first page of every report: everything that a reader asks for first. */
export function firstPage(sheet: Sheet): void {
  let y = header(sheet)
  y = glance(sheet, y + 4)
  y = tiles(sheet, y + GAP)
  const dry = { ...sheet, pen: dryPen(sheet.pen) }
  const below = eventsPair(dry, marketTables(dry, 0) + GAP)
  // The chart takes what the sentences and the tables leave; without one the gaps do.
  const room = FOOT_TOP - 6 - y - below - 2 * GAP
  const height = Math.max(CHART.least, Math.min(CHART.most, room))
  const gap = GAP + Math.min(GROWTH_MAX, Math.max(0, room - priceChart(dry, 0, height)) / 3)
  y = priceChart(sheet, y + gap, height)
  y = marketTables(sheet, y + gap)
  eventsPair(sheet, y + gap)
}

function header(sheet: Sheet): number {
  const { pen, say, research } = sheet
  const { meta, market } = research
  pen.rect({ x: 0, y: 0, width: PAGE.width, height: 6 }, color.accent)
  const top = crisisBanner(sheet)
  pen.text(`${say('title')} · ${meta.exchange}`, X, top + 20, INNER / 2, { size: 9.5, color: color.muted })
  const half = INNER * 0.55
  pen.text(meta.symbol, X, top + 33, half, { size: meta.symbol.length > 18 ? 14 : 22, weight: 'bold', tag: 'H1' })
  const right = { x: X + half, width: INNER - half }
  const small = { size: 8, color: color.muted, align: 'right' } as const
  const lasts = market.price
  if (lasts === null) pen.text(say('noPrice'), right.x, top + 40, right.width, small)
  else {
    pen.text(
      `${say('lastPrice')} · ${say('priceAt', { at: minuteOf(lasts.at) })}`,
      right.x,
      top + 20,
      right.width,
      small,
    )
    const shown = say('priceUnit', { price: price(lasts.last), quote: market.quote })
    pen.text(shown, right.x, top + 31, right.width, { size: 17, weight: 'bold', align: 'right' })
    const changes = [
      ['change1h', lasts.change_1h_pct],
      ['change24h', lasts.change_24h_pct],
      ['change7d', lasts.change_7d_pct],
    ] as const
    const text = changes.map(([key, value]) => say(key, { change: signed(value) })).join('   ')
    pen.text(text, right.x, top + 54, right.width, { size: 9, weight: 'bold', align: 'right' })
  }
  if (meta.source !== 'replay') return top + 70
  pen.rect({ x: X, y: top + 70, width: INNER, height: 15 }, color.warnGround, 3)
  pen.text(say('replayed'), X + 8, top + 73, INNER - 16, { size: 7.5, color: color.warn })
  return top + 88
}

const BANNER = { top: 12, alert: 26, more: 13, shown: 2 } as const

/**
 * Draws the crises of the pair at the top of the page, where no reader can miss them: the open ones, most severe first, or
 * else those that are over and remembered.
 */
function crisisBanner({ pen, say, lang, research }: Sheet): number {
  const { alerts, recent_alerts } = research.meta
  const open = (alerts ?? []).map(({ rule, severity, opened_at, text }) => ({
    line: say('crisis', { rule: say(`rule_${rule}`), severity, since: minuteOf(opened_at) }),
    text: text[lang],
  }))
  const over = (recent_alerts ?? []).map(({ rule, severity, opened_at, closed_at, text }) => ({
    line: say('crisisOver', {
      rule: say(`rule_${rule}`),
      severity,
      since: minuteOf(opened_at),
      until: minuteOf(closed_at),
    }),
    text: text[lang],
  }))
  const [all, ground, ink, moreKey] =
    open.length > 0
      ? ([open, color.badGround, color.bad, 'crisisMore'] as const)
      : ([over, color.warnGround, color.warn, 'crisisOverMore'] as const)
  if (all.length === 0) return 0
  const shown = all.slice(0, BANNER.shown)
  const more = all.length - shown.length
  const height = 7 + shown.length * BANNER.alert + (more > 0 ? BANNER.more : 0)
  pen.rect({ x: X, y: BANNER.top, width: INNER, height }, ground, 3)
  let y = BANNER.top + 4
  for (const { line, text } of shown) {
    pen.text(line, X + 8, y, INNER - 16, { size: 9, weight: 'bold', color: ink })
    pen.text(text, X + 8, y + 12.5, INNER - 16, { size: 8.5, color: ink })
    y += BANNER.alert
  }
  if (more > 0) pen.text(say(moreKey, { n: more }), X + 8, y, INNER - 16, { size: 8, color: ink })
  return height + 2
}

const LABEL = 58

/** Draws the summary in sentences, then what to keep in mind. */
function glance(sheet: Sheet, top: number): number {
  const { pen, say, research } = sheet
  let y = heading(sheet, say('glance'), top)
  for (const { label, text, isBad } of glanceOf(sheet)) {
    pen.text(label, X, y, LABEL - 4, { size: 8.5, weight: 'bold', color: isBad === true ? color.bad : color.accent })
    y = pen.paragraph(text, X + LABEL, y, INNER - LABEL, { size: 8.5, linesMax: 4 }) + 2
  }
  for (const warning of research.meta.warnings)
    if (isUnsaid(warning))
      y = pen.paragraph(`▲ ${say(`warn_${warning}`)}`, X, y, INNER, { size: 8, color: color.warn, linesMax: 2 })
  return y
}

/** Warnings that neither the sentences nor the banners say. */
const isUnsaid = (warning: Warning): warning is (typeof UNSAID)[number] =>
  (UNSAID as readonly Warning[]).includes(warning)
const UNSAID = ['few_scans', 'poor_coverage', 'target_paused', 'stale_board'] as const
type Warning = Sheet['research']['meta']['warnings'][number]

interface Tile {
  readonly title: string
  readonly value: string
  readonly note: string
  readonly ink?: string | undefined
}

const TILE = { gap: 6, height: 48, columns: 5 } as const

const LIFECYCLE_INK: Partial<Record<Lifecycle, string>> = {
  watch: color.warn,
  at_risk: color.bad,
  halted: color.bad,
  delisted: color.bad,
}

function tilesOf({ say, research }: Sheet): readonly Tile[] {
  const { meta, market, data_health: health } = research
  const { now, venues, peers } = market
  const own = venues.pairs.find(({ is_this }) => is_this)
  const score = meta.risk?.score ?? null
  const rank = peers?.rank ?? null
  const flags = meta.flags.length === 0 ? 'flagsNone' : 'flagsSome'
  return [
    {
      title: say('risk'),
      value: score === null ? UNKNOWN : `${score}/100`,
      note: rank === null ? say('notYet') : say('placeTile', { rank, of: peers?.of ?? 0 }),
      ink: score !== null && score >= 85 ? color.bad : undefined,
    },
    {
      title: say('grade'),
      value: meta.grade ?? UNKNOWN,
      note:
        meta.gpa === null
          ? say('unknown')
          : say('gradeNote', { gpa: atLeast(meta.gpa_is_lower_bound, points(meta.gpa, 2)) }),
    },
    {
      title: say('lifecycle'),
      value: say(`lifecycle_${meta.lifecycle}`),
      note:
        research.events.publishes_flags || meta.flags.length > 0
          ? say(flags, { n: meta.flags.length })
          : say('flagsUnknown'),
      ink: LIFECYCLE_INK[meta.lifecycle],
    },
    {
      title: say('outlook'),
      value: meta.outlook === null ? UNKNOWN : say(`outlook_${meta.outlook}`),
      note: outlookNote(research.meta, say),
      ink: meta.outlook === 'worsening' ? color.bad : undefined,
    },
    {
      title: say('dataHealth'),
      value: health.grade ?? UNKNOWN,
      note: say('goodScans', { share: percent(health.coverage) }),
    },
    { title: say('spread'), value: bps(now.spread_bps), note: say('spreadNote') },
    {
      title: say('depth'),
      value: depthText(now),
      note: say(now.depth_is_lower_bound ? 'depthNoteBound' : 'depthNote'),
    },
    {
      title: say('costTile'),
      value: now.cost_10k_bps === null ? UNKNOWN : `${usd(now.cost_10k_bps)}`,
      note:
        now.cost_10k_bps === null
          ? say(now.cost_10k_reason === 'not_filled' ? 'costNoteNot' : 'costNoteNone')
          : `${bps(now.cost_10k_bps)} · ${say('costNote')}`,
    },
    { title: say('volume'), value: usd(own?.volume_24h_usd ?? null), note: say('volumeNote') },
    {
      title: say('shareTile'),
      value: percent(own?.volume_share ?? null, 0),
      note:
        own?.volume_share == null
          ? say('shareNoteNone')
          : venues.total === 1
            ? say('shareNoteOnly')
            : say('shareNote', { n: venues.volume_known_of }),
    },
  ]
}

function outlookNote(meta: Sheet['research']['meta'], say: Sheet['say']): string {
  if (meta.outlook_reason !== null) return say(`outlook_reason_${meta.outlook_reason}`)
  if (meta.warnings.includes('crisis_open')) return say('outlook_crisis')
  return say(meta.flags.length > 0 ? 'outlook_flag' : 'outlook_basis')
}

function tiles(sheet: Sheet, top: number): number {
  const { pen } = sheet
  const width = (INNER - TILE.gap * (TILE.columns - 1)) / TILE.columns
  for (const [place, { title, value, note, ink }] of tilesOf(sheet).entries()) {
    const x = X + (place % TILE.columns) * (width + TILE.gap)
    const y = top + Math.floor(place / TILE.columns) * (TILE.height + TILE.gap)
    pen.rect({ x, y, width, height: TILE.height }, color.ground, 3)
    pen.text(title, x + 6, y + 5, width - 12, { size: 7.5, color: color.muted })
    pen.text(value, x + 6, y + 14.5, width - 12, { size: 14, weight: 'bold', color: ink ?? color.ink })
    pen.text(note, x + 6, y + 34.5, width - 10, { size: 7, color: color.muted })
  }
  return top + 2 * TILE.height + TILE.gap
}
