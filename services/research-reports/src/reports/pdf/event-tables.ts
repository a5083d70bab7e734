import type { Research } from '@svc/contracts/research-reports/research'
import { clockOf, dateOf } from './number-text.ts'
import { color, INNER, PAGE } from './pen.ts'
import { heading, type Sheet } from './sheet.ts'

const X = PAGE.margin
const GAP = 16
const HALF = (INNER - GAP) / 2
const ROWS = 4
const ROW = 11.5

interface EventRow {
  readonly when: string
  readonly what: string
  readonly isBad: boolean
}

/** A notice, with where and when the venue published it if that is stored. */
interface NoticeRow extends EventRow {
  readonly origin: string | null
}

/** Draws, side by side, open and past alerts and what the venue said; returns the `y` below the longer one. */
export function eventsPair(sheet: Sheet, top: number): number {
  const { say } = sheet
  const alerts = eventRows(sheet, { title: say('alertsTitle'), none: say('alertsRowNone') }, alertRows(sheet), {
    x: X,
    top,
    when: 92,
  })
  const notices = noticeRows(sheet, ROWS)
  const right = eventRows(sheet, { title: say('noticesTitle'), none: say('noticesRowNone') }, notices, {
    x: X + HALF + GAP,
    top,
    when: 50,
  })
  return Math.max(alerts, right)
}

function alertRows({ say, research }: Sheet): EventRow[] {
  const { meta, events } = research
  const open = (meta.alerts ?? []).map(({ rule, severity, opened_at }) => ({
    when: `${dateOf(opened_at)} ${clockOf(new Date(opened_at))}–${say('alertOpenRow')}`,
    what: say('alertRow', { rule: say(`rule_${rule}`), severity }),
    isBad: true,
  }))
  const past = events.past_alerts.map(({ rule, severity, opened_at, closed_at, closed_as }) => ({
    when: `${dateOf(opened_at)} ${clockOf(new Date(opened_at))}–${clockOf(new Date(closed_at))}`,
    what: say(`alertRow_${closed_as ?? 'recovered'}`, { rule: say(`rule_${rule}`), severity }),
    isBad: false,
  }))
  return [...open, ...past].slice(0, ROWS)
}

/** Returns the newest notices of the venue, those that are still to come first. */
export function noticeRows({ say, research }: Sheet, max: number): NoticeRow[] {
  const { notices } = research.events
  const now = Date.parse(research.meta.to)
  const isAhead = ({ effective_at }: Research['events']['notices'][number]) =>
    effective_at !== null && Date.parse(effective_at) > now
  const ordered = [...notices.filter(isAhead), ...notices.filter((one) => !isAhead(one))]
  return ordered.slice(0, max).map((one) => {
    const detail = one.kind === 'lifecycle' && isState(one.detail) ? say(`lifecycle_${one.detail}`) : one.detail
    const named = one.kind === 'listed' ? say('notice_listed') : say(`notice_${one.kind}`, { detail })
    // The venue's own words say more than the name of its flag.
    const text = one.title ?? named
    const published =
      one.published_at === null ? null : `${dateOf(one.published_at)} ${clockOf(new Date(one.published_at))}`
    return {
      origin:
        one.title === null ? null : [named, one.source, published, one.url].filter((part) => part !== null).join(' · '),
      when: dateOf(one.at),
      what: one.effective_at === null ? text : say('noticeEffective', { text, day: dateOf(one.effective_at) }),
      isBad: one.kind === 'flag_raised',
    }
  })
}

const STATES = ['new', 'active', 'watch', 'at_risk', 'halted', 'delisted'] as const
const isState = (text: string): text is (typeof STATES)[number] => (STATES as readonly string[]).includes(text)

function eventRows(
  sheet: Sheet,
  { title, none }: { readonly title: string; readonly none: string },
  rows: readonly EventRow[],
  { x, top, when: column }: { readonly x: number; readonly top: number; readonly when: number },
): number {
  const { pen } = sheet
  let y = heading(sheet, title, top, HALF, x)
  if (rows.length === 0) pen.text(none, x, y, HALF, { size: 8, color: color.muted })
  for (const { when, what, isBad } of rows) {
    pen.text(when, x, y, column - 2, { size: 7.5, color: color.muted })
    pen.text(what, x + column, y, HALF - column, { size: 7.5, color: isBad ? color.bad : color.ink })
    y += ROW
  }
  return rows.length === 0 ? y + ROW : y
}
