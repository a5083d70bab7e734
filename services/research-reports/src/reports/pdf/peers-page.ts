import { scaleLinear, scaleTime } from 'd3-scale'
import { percentileTrack, type Mark } from './charts.ts'
import { bps, dayOf, milliseconds, percent, points, UNKNOWN, usd, whole } from './number-text.ts'
import { color, INNER, PAGE, round } from './pen.ts'
import { heading, type Sheet } from './sheet.ts'
import { table } from './table.ts'

const X = PAGE.margin
const TABLE_ROWS = 12

/** Draws percentiles among peers and in the pair's own history, and microbursts. */
export function peersPage(sheet: Sheet): void {
  let y = heading(sheet, sheet.say('peers'), 40)
  y = sheet.pen.paragraph(sheet.say('peersLead'), X, y, INNER, { size: 8, color: color.muted, linesMax: 2 })
  y = peers(sheet, y + 8)
  bursts(sheet, y + 20)
}

function peers({ pen, say, research }: Sheet, top: number): number {
  const { peers: ranks, own_history } = research.percentiles
  if (ranks.length === 0) return pen.paragraph(say('noPeers'), X, top, INNER, { color: color.muted })
  let legendX = X
  for (const [shape, key] of [
    ['dot', 'legendVenue'],
    ['ring', 'legendAll'],
    ['tick', 'legendOwn'],
  ] as const) {
    pen.figure(say(key), () => mark(shape, legendX + 5, top + 5))
    pen.text(say(key), legendX + 14, top, 160, { size: 8, color: color.muted })
    legendX += 168
  }
  let y = top + 30
  const left = X + 150
  const width = INNER - 150 - 118
  for (const scale of [0, 50, 100])
    pen.text(String(scale), left + (scale / 100) * width - 15, y - 13, 30, {
      size: 7,
      color: color.faint,
      align: 'center',
    })
  for (const { key, value, venue, all } of ranks) {
    const own = own_history.find((one) => one.key === key)?.percentile ?? null
    const marks: Mark[] = [
      ...(all.percentile === null ? [] : [{ value: all.percentile, shape: 'ring' } as const]),
      ...(venue.percentile === null ? [] : [{ value: venue.percentile, shape: 'dot' } as const]),
      ...(own === null ? [] : [{ value: own, shape: 'tick' } as const]),
    ]
    const show = (rank: number | null) => (rank === null ? UNKNOWN : points(rank, 0))
    const shown = { spread: bps, depth: usd, volume: usd, stability: percent }[key](value)
    pen.text(say(key), X, y, 80, { size: 9 })
    pen.text(shown, X + 78, y, 58, { size: 9, weight: 'bold', align: 'right' })
    const alt = say('peersAlt', {
      key: say(key),
      venue: show(venue.percentile),
      all: show(all.percentile),
      own: show(own),
    })
    const at = y + 6
    pen.figure(alt, () => percentileTrack(pen, left, at, width, marks))
    const counts = `${show(venue.percentile)} (n ${whole(venue.n)}) · ${show(all.percentile)} (n ${whole(all.n)})`
    pen.text(counts, X + INNER - 112, y + 1, 112, { size: 7.5, color: color.muted, align: 'right' })
    y += 26
  }
  return y

  function mark(shape: Mark['shape'], x: number, at: number): void {
    percentileTrack(pen, x - 5, at, 10, [{ value: 50, shape }])
  }
}

function bursts(sheet: Sheet, top: number): void {
  const { pen, say, research } = sheet
  const { microburst } = research
  let y = heading(sheet, say('bursts'), top)
  if (microburst.reason !== null) {
    pen.paragraph(say('noCaptures'), X, y, INNER, { color: color.muted, linesMax: 3 })
    return
  }
  const lead = say('burstsLead', {
    n: whole(microburst.burst_count),
    captures: whole(microburst.captures),
    minutes: whole(microburst.captured_seconds / 60),
  })
  y = pen.paragraph(lead, X, y, INNER, { size: 8.5, linesMax: 3 })
  if (microburst.bursts.length === 0) {
    pen.paragraph(say('noBursts'), X, y + 4, INNER, { color: color.muted })
    return
  }
  y = stems(sheet, y + 10)
  const rows = microburst.bursts
    .slice(0, TABLE_ROWS)
    .map((burst) => [
      `${burst.start.slice(0, 10)} ${burst.start.slice(11, 19)}`,
      milliseconds(burst.duration_ms),
      whole(burst.orders),
      whole(burst.fills),
      usd(burst.signed_notional_usd),
      bps(burst.impact_bps),
      percent(burst.reversion_60s, 0),
    ])
  table(
    pen,
    X,
    y + 12,
    [
      { title: say('start'), width: 118 },
      { title: say('duration'), width: 66, align: 'right' },
      { title: say('orders'), width: 54, align: 'right' },
      { title: say('fills'), width: 54, align: 'right' },
      { title: say('notional'), width: 84, align: 'right' },
      { title: say('impact'), width: 62, align: 'right' },
      { title: say('reversion'), width: INNER - 438, align: 'right' },
    ],
    rows,
  )
}

const STEMS = { height: 120, left: 52 } as const

function stems(sheet: Sheet, top: number): number {
  const { pen, say, lang, research } = sheet
  const { bursts: all } = research.microburst
  pen.text(say('burstChart'), X, top, INNER, { size: 8, weight: 'bold', color: color.muted })
  const y = top + 16
  const times = all.map(({ start }) => Date.parse(start))
  const from = Math.min(Date.parse(research.meta.from), ...times)
  const to = Math.max(Date.parse(research.meta.to), ...times)
  const most = Math.max(1, ...all.map(({ signed_notional_usd }) => Math.abs(signed_notional_usd)))
  const xScale = scaleTime([new Date(from), new Date(to)], [X + STEMS.left, X + INNER - 6])
  const yScale = scaleLinear([-most, most], [y + STEMS.height, y]).nice(2)
  pen.figure(say('burstAlt', { n: all.length }), () => {
    for (const tick of yScale.ticks(4)) {
      const at = round(yScale(tick))
      pen.line(X + STEMS.left, at, X + INNER, at, { stroke: tick === 0 ? color.faint : color.line, width: 0.5 })
      pen.text(usd(tick), X, at - 4.5, STEMS.left - 6, { size: 7, color: color.muted, align: 'right' })
    }
    for (const [index, { signed_notional_usd: notional }] of all.entries()) {
      const at = round(xScale(times[index] ?? from))
      const ink = notional >= 0 ? color.second : color.bad
      pen.line(at, yScale(0), at, round(yScale(notional)), { stroke: ink, width: 1.2 })
      pen.doc.circle(at, round(yScale(notional)), 2.2).fill(ink)
    }
    const below = y + STEMS.height + 4
    const small = { size: 7, color: color.muted }
    pen.text(dayOf(new Date(from), lang), X + STEMS.left, below, 60, small)
    pen.text(dayOf(new Date(to), lang), X + INNER - 60, below, 60, { ...small, align: 'right' })
  })
  return y + STEMS.height + 14
}
