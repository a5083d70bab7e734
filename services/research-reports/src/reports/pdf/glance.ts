import { PAST_ALERTS_DAYS } from '@svc/contracts/market-data/research'
import type { Research } from '@svc/contracts/research-reports/research'
import { atLeast, bps, dateOf, minuteOf, percent, usd, whole } from './number-text.ts'
import type { Sheet } from './sheet.ts'
import { isFlag } from './factor-text.ts'

/** A line of the summary: what it is about, and its sentences. */
export interface GlanceLine {
  readonly label: string
  readonly text: string
  /** Whether it says that something is wrong. */
  readonly isBad?: boolean
}

const SCANS_FEW = 6
const DAY_MS = 86_400_000
/** Days within which the past of a rank is stated. */
const WORTH_DAYS = 365
/** Samples of the past that have a name in each language; another one keeps its title. */
const SAMPLES = ['binance_spot_2022_11', 'binance_perp_2025_06'] as const

/** Returns what a reader asks for first, in sentences. What is unknown is said to be unknown. */
export function glanceOf(sheet: Sheet): readonly GlanceLine[] {
  const { say, research } = sheet
  const { meta } = research
  const flags = meta.flags.length > 0
  return [
    { label: say('glanceRisk'), text: riskText(sheet), isBad: (meta.risk?.score ?? 0) >= 85 },
    { label: say('glanceWorth'), text: worthText(sheet) },
    { label: say('glanceLiquidity'), text: liquidityText(sheet) },
    { label: say('glanceVolume'), text: volumeText(sheet) },
    { label: say('glanceAlerts'), text: alertsText(sheet), isBad: (meta.alerts?.length ?? 0) > 0 },
    { label: say('glanceVenue'), text: venueText(sheet), isBad: flags },
    { label: say('glanceData'), text: dataText(sheet) },
  ]
}

const sentences = (...parts: readonly (string | null)[]): string => parts.filter((part) => part !== null).join(' ')

/** Returns the points that liquidity alone gives, without the floors of warnings and crises. */
export function liquidityPoints(risk: NonNullable<Research['meta']['risk']>): number {
  return Math.round(risk.factors.reduce((sum, { key, points }) => sum + (isFlag(key) ? 0 : points), 0))
}

/** Returns where a pair stands among its peers, as a person says it. */
export function placeText({ say, research }: Sheet, less: number, peers: number): string {
  const values = { peers: whole(peers), venue: research.meta.exchange }
  const edge = (distance: number) => [1, 5, 10].find((share) => distance <= share)
  const top = edge(less)
  const bottom = edge(100 - less)
  if (top !== undefined) return say('placeMost', { ...values, n: top })
  if (bottom !== undefined) return say('placeLeast', { ...values, n: bottom })
  return less <= 50 ? say('placeMore', { ...values, n: 100 - less }) : say('placeLess', { ...values, n: less })
}

function riskText(sheet: Sheet): string {
  const { say, research } = sheet
  const { risk, lifecycle } = research.meta
  const { peers } = research.market
  if (risk === null) return say(lifecycle === 'delisted' ? 'riskDelisted' : 'riskNoBoard')
  if (risk.score === null) return say('riskTooFew')
  const less = liquidityPoints(risk)
  return sentences(
    say('riskScore', { place: placeText(sheet, less, risk.n_peers), score: risk.score }),
    peers?.rank == null ? null : say('riskPlace', { rank: peers.rank, of: peers.of }),
    risk.score > less ? say('riskRaised', { from: less }) : null,
  )
}

/** Whether this drawing has a name of its own for a sample of the past. */
const isSample = (id: string): id is (typeof SAMPLES)[number] => (SAMPLES as readonly string[]).includes(id)

function worthText({ say, research }: Sheet): string {
  const { risk } = research.meta
  if (risk === null || risk.score === null) return say('worthNone')
  const { worth } = research.meta
  const [band] = worth?.bands ?? []
  const rates = (band?.rates ?? []).filter(({ days }) => days === WORTH_DAYS)
  if (worth === null || band === undefined || rates.length === 0)
    return say('worthUnknown', { model: risk.model_version })
  const shares = rates.map(({ sample, n, delisted, low, high }) =>
    say('worthShare', {
      title: isSample(sample)
        ? say(`sample_${sample}`)
        : (worth.samples.find(({ id }) => id === sample)?.title ?? sample),
      n,
      delisted,
      low: percent(low, 0),
      high: percent(high, 0),
    }),
  )
  // Read beside a raised rank, the past of pairs without warnings would reassure.
  return sentences(
    say('worthKnown', { from: band.from_score, to: band.to_score, shares: shares.join('; ') }),
    risk.score > liquidityPoints(risk) ? say('worthRaised') : null,
  )
}

function liquidityText({ say, research }: Sheet): string {
  const { now } = research.market
  const cost =
    now.cost_10k_bps === null
      ? say(now.cost_10k_reason === 'not_filled' ? 'costNotFilled' : 'costNoScan')
      : say(now.cost_scans < SCANS_FEW ? 'costFresh' : 'costKnown', {
          cost: usd(now.cost_10k_bps),
          bps: bps(now.cost_10k_bps),
          ...(now.cost_scans < SCANS_FEW ? { n: now.cost_scans } : {}),
        })
  const depth =
    now.depth_2pct_usd === null
      ? say('depthUnknown')
      : say(now.depth_is_lower_bound ? 'depthBound' : 'depthKnown', {
          depth: usd(now.depth_2pct_usd),
          half: usd(now.depth_2pct_usd / 2),
        })
  return sentences(cost, depth)
}

function volumeText({ say, research }: Sheet): string {
  const { venues } = research.market
  const own = venues.pairs.find(({ is_this }) => is_this)
  const volume = own?.volume_24h_usd ?? null
  if (volume === null) return say('volumeUnknown')
  if (venues.total < 2 || own?.volume_share == null) return say('volumeAlone', { volume: usd(volume) })
  const values = {
    volume: usd(volume),
    share: percent(own.volume_share, 0),
    total: usd(venues.volume_24h_usd),
    n: venues.volume_known_of,
  }
  return venues.exchanges < 2
    ? say('volumeOnlyVenue', values)
    : say('volumeShare', { ...values, venues: venues.exchanges })
}

function alertsText({ say, research }: Sheet): string {
  const { meta, events } = research
  const open = (meta.alerts ?? []).map(({ rule }) => say(`rule_${rule}`)).join(', ')
  const now =
    meta.board_computed_at === null
      ? say(meta.lifecycle === 'delisted' ? 'alertsDelisted' : 'alertsNoBoard')
      : meta.alerts === null
        ? say('alertsUnknown')
        : open === ''
          ? say('alertsNone')
          : say('alertsOpen', { rules: open })
  const [newest] = events.past_alerts
  const past =
    newest === undefined
      ? open === ''
        ? noAlertText({ say, research })
        : say('alertsPastNoOther')
      : say('alertsPast', {
          n: events.past_alerts.length,
          rule: say(`rule_${newest.rule}`),
          severity: newest.severity,
          day: dateOf(newest.opened_at),
        })
  return sentences(now, notJudgedText({ say, research }), past)
}

/** Says that no alert is recorded, and since when the pair is watched if that is not as long as alerts are kept. */
export function noAlertText({ say, research }: Pick<Sheet, 'say' | 'research'>): string {
  const { meta, events } = research
  const since = events.watched_since
  return since === undefined || Date.parse(meta.to) - Date.parse(since) >= PAST_ALERTS_DAYS * DAY_MS
    ? say('alertsPastNone')
    : say('alertsPastNoneSince', { since: minuteOf(since) })
}

/** Names the rules that cannot be judged, by reason; null if there are none. */
function notJudgedText({ say, research }: Pick<Sheet, 'say' | 'research'>): string | null {
  const byReason = Map.groupBy(research.meta.not_judged ?? [], ({ reason }) => reason)
  const parts = [...byReason].map(
    ([reason, rules]) => `${rules.map(({ rule }) => say(`rule_${rule}`)).join(', ')} (${say(`blind_${reason}`)})`,
  )
  return parts.length === 0 ? null : say('alertsNotJudged', { rules: parts.join('; ') })
}

function venueText({ say, research }: Sheet): string {
  const { meta, events } = research
  const flags = meta.flags
    .map(({ flag, since, source, lateness_seconds: late, effective_at }) => {
      const more = [
        dateOf(since),
        source,
        late === null ? null : say('flagLate', { minutes: whole(Math.ceil(late / 60)) }),
        effective_at === null ? null : say('flagEffective', { day: dateOf(effective_at) }),
      ]
      return `${flag} (${more.filter((one) => one !== null).join(', ')})`
    })
    .join(', ')
  const said =
    flags !== ''
      ? say('venueFlags', { flags })
      : events.publishes_flags
        ? say('venueNoFlags')
        : say('venueSilent', { venue: meta.exchange })
  const listed = events.notices.find(({ kind }) => kind === 'listed')
  const changed = events.notices.find(({ kind }) => kind === 'lifecycle')
  const state = say(`lifecycle_${meta.lifecycle}`)
  return sentences(
    listed === undefined ? null : say('venueListed', { day: dateOf(listed.at) }),
    changed === undefined ? say('venueState', { state }) : say('venueStateSince', { state, day: dateOf(changed.at) }),
    said,
  )
}

function dataText({ say, research }: Sheet): string {
  const { meta, market, data_health: health } = research
  const hasHours = market.series.some(({ source }) => source === 'hours')
  const isNew = meta.days * 86_400_000 > Date.parse(meta.to) - Date.parse(meta.from)
  return sentences(
    health.grade === null
      ? say('dataNone')
      : say('dataGood', {
          grade: health.grade,
          ok: whole(health.ok),
          expected: whole(health.expected),
          at: minuteOf(meta.to),
        }),
    meta.board_computed_at === null ? say('boardNone') : say('boardAt', { at: minuteOf(meta.board_computed_at) }),
    hasHours
      ? say('dataHours', { since: minuteOf(meta.from) })
      : isNew && market.hours_read_at === null
        ? say('dataNoHours')
        : null,
  )
}

/** Writes the present depth with its mark of a lower bound. */
export const depthText = ({ depth_2pct_usd: depth, depth_is_lower_bound }: Research['market']['now']): string =>
  atLeast(depth_is_lower_bound, usd(depth))
