import { percentileTrack, type Mark } from './charts.ts'
import { atLeast, bps, percent, points, UNKNOWN, usd, whole } from './number-text.ts'
import { color, INNER, PAGE } from './pen.ts'
import { heading, type Sheet } from './sheet.ts'
import { table } from './table.ts'

const X = PAGE.margin

/** Draws percentiles among peers and in the pair's own history. */
export function percentilesBlock(sheet: Sheet, begin: number): number {
  const { pen, say, research } = sheet
  let top = heading(sheet, say('peers'), begin)
  top = pen.paragraph(say('peersLead'), X, top, INNER, { size: 8, color: color.muted, linesMax: 2 }) + 4
  const { peers: ranks, own_history } = research.percentiles
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
  pen.text(say('peersCounts'), X + INNER - 112, y - 13, 112, { size: 7, color: color.faint, align: 'right' })
  for (const { key, value, is_lower_bound, venue, all } of ranks) {
    const own = own_history.find((one) => one.key === key)?.percentile ?? null
    const marks: Mark[] = [
      ...(all.percentile === null ? [] : [{ value: all.percentile, shape: 'ring' } as const]),
      ...(venue.percentile === null ? [] : [{ value: venue.percentile, shape: 'dot' } as const]),
      ...(own === null ? [] : [{ value: own, shape: 'tick' } as const]),
    ]
    const show = (rank: number | null) => (rank === null ? UNKNOWN : points(rank, 0))
    const shown = { spread: bps, depth: usd, volume: usd, stability: percent }[key](value)
    pen.text(say(key), X, y, 80, { size: 9 })
    pen.text(atLeast(is_lower_bound, shown), X + 78, y, 58, { size: 9, weight: 'bold', align: 'right' })
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

/** Draws every listing of the asset, and what proves that they are one asset. */
export function listingsBlock(sheet: Sheet, top: number): number {
  const { pen, say, research } = sheet
  const { venues } = research.market
  let y = heading(sheet, say('listingsTitle'), top)
  y = table(
    pen,
    { x: X, y: y },
    [
      { title: say('colVenue'), width: 58 },
      { title: say('colPair'), width: 126 },
      { title: say('colVolume'), width: 62, align: 'right' },
      { title: say('colShare'), width: 42, align: 'right' },
      { title: say('colSpread'), width: 64, align: 'right' },
      { title: say('colDepth'), width: 70, align: 'right' },
      { title: say('colGrade'), width: 42, align: 'right' },
      { title: say('colState'), width: INNER - 464, align: 'right' },
    ],
    venues.pairs.map((one) => [
      one.exchange,
      one.is_this ? { text: one.symbol, style: { weight: 'bold' } } : one.symbol,
      usd(one.volume_24h_usd),
      percent(one.volume_share, 1),
      bps(one.spread_bps),
      atLeast(one.depth_is_lower_bound, usd(one.depth_2pct_usd)),
      atLeast(one.gpa_is_lower_bound === true, one.grade ?? UNKNOWN),
      one.lifecycle === null ? UNKNOWN : say(`lifecycle_${one.lifecycle}`),
    ]),
    { row: 15, size: 8 },
  )
  const notes = [
    venues.basis.length > 0
      ? say('provenBy', { proof: venues.basis.map((proof) => proofText(sheet, proof)).join(', ') })
      : null,
    venues.unproven.length > 0 ? say('unproven', { venues: venues.unproven.join(', ') }) : null,
  ].filter((note) => note !== null)
  for (const note of notes) y = pen.paragraph(note, X, y + 3, INNER, { size: 7.5, color: color.muted, linesMax: 2 })
  return y
}

/** Names the sources of a proof in the language of the report; those of a venue are named as they are. */
const proofText = ({ say }: Sheet, proof: string): string =>
  proof.replace('curated list', say('source_curated')).replace('reviewed metadata', say('source_reviewed'))
