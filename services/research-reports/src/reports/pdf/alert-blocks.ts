import { noAlertText } from './glance.ts'
import { noticeRows } from './event-tables.ts'
import { clockOf, dateOf } from './number-text.ts'
import { color, INNER, PAGE } from './pen.ts'
import { heading, type Sheet } from './sheet.ts'

const X = PAGE.margin
const ALERTS = 6
const NOTICES = 10

/** Draws open and past crisis episodes with their sentences. */
export function alertsBlock(sheet: Sheet, top: number): number {
  const { pen, say, lang, research } = sheet
  const { meta, events } = research
  let y = heading(sheet, say('alertsFull'), top)
  const open = (meta.alerts ?? []).map((alert) => ({ ...alert, closed_at: null, closed_as: undefined }))
  const all = [...open, ...events.past_alerts].slice(0, ALERTS)
  if (all.length === 0) return pen.paragraph(noAlertText(sheet), X, y, INNER, { size: 8, color: color.muted })
  for (const { rule, severity, opened_at, closed_at, closed_as, text } of all) {
    const until = closed_at === null ? say('alertOpenRow') : clockOf(new Date(closed_at))
    pen.text(`${dateOf(opened_at)} ${clockOf(new Date(opened_at))}–${until}`, X, y, 118, {
      size: 8,
      color: color.muted,
    })
    const ink = closed_at === null ? color.bad : color.ink
    pen.text(
      say(closed_as === undefined ? 'alertRow' : `alertRow_${closed_as}`, { rule: say(`rule_${rule}`), severity }),
      X + 120,
      y,
      182,
      {
        size: 8,
        weight: 'bold',
        color: ink,
      },
    )
    y = pen.paragraph(text[lang], X + 306, y, INNER - 306, { size: 8, linesMax: 2 }) + 3
  }
  return y
}

/** Draws what the venue said, and changes of the lifecycle. */
export function noticesBlock(sheet: Sheet, top: number): number {
  const { pen, say } = sheet
  let y = heading(sheet, say('noticesTitle'), top)
  const rows = noticeRows(sheet, NOTICES)
  if (rows.length === 0) return pen.paragraph(say('noticesRowNone'), X, y, INNER, { size: 8, color: color.muted })
  for (const { when, what, origin } of rows) {
    pen.text(when, X, y, 118, { size: 8, color: color.muted })
    y = pen.paragraph(what, X + 120, y, INNER - 120, { size: 8, linesMax: 2 })
    if (origin !== null)
      y = pen.paragraph(origin, X + 120, y, INNER - 120, { size: 7, color: color.muted, linesMax: 2 })
    y += 0.4
  }
  return y
}

/** Draws which parts of the report nothing is known for, and when they come. */
export function notKnownBlock(sheet: Sheet, top: number, keys: readonly NotKnown[]): number {
  let y = heading(sheet, sheet.say('notKnownTitle'), top)
  for (const key of keys) y = sheet.pen.paragraph(`· ${sheet.say(key)}`, X, y, INNER, { size: 8.5, linesMax: 2 }) + 2
  return y
}

export type NotKnown = 'notKnownRank' | 'notKnownSpread' | 'notKnownCaptures' | 'notKnownPercentiles'
