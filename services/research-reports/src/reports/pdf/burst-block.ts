import { scaleLinear, scaleTime } from 'd3-scale'
import { bps, dayOf, milliseconds, percent, tickText, usd, whole } from './number-text.ts'
import { color, INNER, PAGE, round } from './pen.ts'
import { heading, type Sheet } from './sheet.ts'
import { table } from './table.ts'

const X = PAGE.margin
const TABLE_ROWS = 5

/** Draws the microbursts that captures found. */
export function burstsBlock(sheet: Sheet, top: number, more: number): number {
  const { pen, say, research } = sheet
  const { microburst } = research
  let y = heading(sheet, say('bursts'), top)
  const lead = say('burstsLead', {
    n: whole(microburst.burst_count),
    captures: whole(microburst.captures),
    minutes: whole(microburst.captured_seconds / 60),
  })
  y = pen.paragraph(lead, X, y, INNER, { size: 8.5, linesMax: 3 })
  if (microburst.bursts.length === 0) return pen.paragraph(say('noBursts'), X, y + 4, INNER, { color: color.muted })
  y = stems(sheet, y + 10, STEMS.height + more)
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
  return table(
    pen,
    { x: X, y: y + 8 },
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
    { row: 14, size: 8 },
  )
}

const STEMS = { height: 70, left: 52 } as const

function stems(sheet: Sheet, top: number, height: number): number {
  const { pen, say, lang, research } = sheet
  const { bursts: all } = research.microburst
  pen.text(say('burstChart'), X, top, INNER, { size: 8, weight: 'bold', color: color.muted })
  const y = top + 16
  const times = all.map(({ start }) => Date.parse(start))
  const from = Math.min(Date.parse(research.meta.from), ...times)
  const to = Math.max(Date.parse(research.meta.to), ...times)
  const most = Math.max(1, ...all.map(({ signed_notional_usd }) => Math.abs(signed_notional_usd)))
  const xScale = scaleTime([new Date(from), new Date(to)], [X + STEMS.left, X + INNER - 6])
  const yScale = scaleLinear([-most, most], [y + height, y]).nice(2)
  pen.figure(say('burstAlt', { n: all.length }), () => {
    for (const tick of yScale.ticks(4)) {
      const at = round(yScale(tick))
      pen.line(X + STEMS.left, at, X + INNER, at, { stroke: tick === 0 ? color.faint : color.line, width: 0.5 })
      pen.text(tickText(usd(tick)), X, at - 4.5, STEMS.left - 6, { size: 7, color: color.muted, align: 'right' })
    }
    for (const [index, { signed_notional_usd: notional }] of all.entries()) {
      const at = round(xScale(times[index] ?? from))
      const ink = notional >= 0 ? color.second : color.bad
      pen.line(at, yScale(0), at, round(yScale(notional)), { stroke: ink, width: 1.2 })
      pen.doc.circle(at, round(yScale(notional)), 2.2).fill(ink)
    }
    const below = y + height + 4
    const small = { size: 7, color: color.muted }
    pen.text(dayOf(new Date(from), lang), X + STEMS.left, below, 60, small)
    pen.text(dayOf(new Date(to), lang), X + INNER - 60, below, 60, { ...small, align: 'right' })
  })
  return y + height + 14
}
