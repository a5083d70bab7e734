import { atLeast, percent, UNKNOWN, usd } from './number-text.ts'
import { color, INNER, PAGE } from './pen.ts'
import { heading, type Sheet } from './sheet.ts'
import { table, type Cell } from './table.ts'

const X = PAGE.margin
const GAP = 16
const HALF = (INNER - GAP) / 2
const ROWS = 5

/** Draws, side by side, the listings of the asset and the pairs of similar volume; returns the `y` below the longer one. */
export function marketTables(sheet: Sheet, top: number): number {
  return Math.max(listings(sheet, top), peers(sheet, top))
}

const bold = (text: string): Cell => ({ text, style: { weight: 'bold' } })

/** Marks the name of a pair in which a crisis is open. */
const named = (text: string, alerts: readonly unknown[] | null, isOwn: boolean): Cell =>
  alerts !== null && alerts.length > 0
    ? { text: `▲ ${text}`, style: { weight: isOwn ? 'bold' : 'regular', color: color.bad } }
    : isOwn
      ? bold(text)
      : { text }

function listings(sheet: Sheet, top: number): number {
  const { pen, say, research } = sheet
  const { venues } = research.market
  const title = venues.exchanges > 1 ? say('venuesTitle', { n: venues.exchanges }) : say('venuesTitleOne')
  const y = heading(sheet, title, top, HALF)
  const shown = venues.pairs.filter((one, place) => place < ROWS - 1 || one.is_this).slice(0, ROWS)
  const rows = shown.map((one) => {
    const cell = (text: string) => (one.is_this ? bold(text) : text)
    return [
      cell(one.exchange),
      named(one.symbol, one.alerts, one.is_this),
      cell(usd(one.volume_24h_usd)),
      cell(percent(one.volume_share, 0)),
      cell(one.grade ?? UNKNOWN),
    ]
  })
  const below = table(
    pen,
    { x: X, y: y },
    [
      { title: say('colVenue'), width: 44 },
      { title: say('colPair'), width: 92 },
      { title: say('colVolume'), width: 48, align: 'right' },
      { title: say('colShare'), width: 33, align: 'right' },
      { title: say('colGrade'), width: HALF - 217, align: 'right' },
    ],
    rows,
    { row: 13, size: 7.5 },
  )
  const more = venues.total - shown.length
  const notes = [
    more > 0 ? say('moreListings', { n: more }) : null,
    venues.unproven.length > 0 ? say('unproven', { venues: venues.unproven.join(', ') }) : null,
  ].filter((note) => note !== null)
  return pen.paragraph(notes.join(' · '), X, below + 2, HALF, { size: 7, color: color.muted, linesMax: 2 })
}

function peers(sheet: Sheet, top: number): number {
  const { pen, say, research } = sheet
  const { meta, market } = research
  const x = X + HALF + GAP
  const y = heading(sheet, say('peersTitle', { venue: meta.exchange }), top, HALF, x)
  if (market.peers === null || market.peers.near.length === 0)
    return pen.paragraph(say('noPeersYet'), x, y, HALF, { size: 8, color: color.muted, linesMax: 2 })
  const own = market.venues.pairs.find(({ is_this }) => is_this)
  const self = {
    symbol: meta.symbol,
    risk_score: meta.risk?.score ?? null,
    grade: meta.grade,
    gpa_is_lower_bound: meta.gpa_is_lower_bound,
    alerts: meta.alerts,
    depth_2pct_usd: market.now.depth_2pct_usd,
    depth_is_lower_bound: market.now.depth_is_lower_bound,
    volume_24h_usd: own?.volume_24h_usd ?? null,
    isSelf: true,
  }
  const all = [...market.peers.near.map((one) => ({ ...one, isSelf: false })), self].toSorted(
    (a, b) => (b.volume_24h_usd ?? -1) - (a.volume_24h_usd ?? -1),
  )
  return table(
    pen,
    { x: x, y: y },
    [
      { title: say('colPair'), width: 86 },
      { title: say('colVolume'), width: 48, align: 'right' },
      { title: say('colDepth'), width: 52, align: 'right' },
      { title: say('colRisk'), width: 29, align: 'right' },
      { title: say('colGrade'), width: HALF - 215, align: 'right' },
    ],
    all.map((one) => {
      const cell = (text: string) => (one.isSelf ? bold(text) : text)
      return [
        named(one.symbol, one.alerts, one.isSelf),
        cell(usd(one.volume_24h_usd)),
        cell(atLeast(one.depth_is_lower_bound, usd(one.depth_2pct_usd))),
        cell(one.risk_score === null ? UNKNOWN : String(one.risk_score)),
        cell(atLeast(one.gpa_is_lower_bound === true, one.grade ?? UNKNOWN)),
      ]
    }),
    { row: 13, size: 7.5 },
  )
}
