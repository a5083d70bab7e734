import type { HistoryBucket, TargetHistory } from '@svc/contracts/market-data/research'
import { REPORT_SCANS_MIN } from '@svc/contracts/research-reports/reports'
import type { Estimate, Research } from '@svc/contracts/research-reports/research'
import { marketOf } from './market.ts'
import { onchainOf, type OnchainRead } from './onchain.ts'
import { INTERVAL_VALUES_MIN, medianInterval, midRank } from './order-statistics.ts'

/** Fewest values for a rank. */
const RANK_VALUES_MIN = 20
/** Least coverage of each grade of data health; F below D. */
const HEALTH = [
  ['A', 0.98],
  ['B', 0.95],
  ['C', 0.85],
  ['D', 0.5],
] as const
const CAPTURED_SECONDS_MIN = 600
/** A board that is this much older than the newest scan is stale. */
const BOARD_STALE_MS = 900_000

type HealthGrade = NonNullable<Research['data_health']['grade']>

/** Returns the grade of a coverage. */
export function healthGrade(coverage: number): HealthGrade {
  return HEALTH.find(([, least]) => coverage >= least)?.[0] ?? 'F'
}

const isComplete = (bucket: HistoryBucket) => bucket.expected === 120

/**
 * Returns Research v1 of a target's history and of what was read of its contract (null if it was not read). Pure: equal
 * inputs give equal research. O(n log n) in buckets.
 */
export function researchOf(history: TargetHistory, days: number, onchain: OnchainRead | null): Research {
  const { pair, board, buckets, health, captures, target } = history
  const coverage = health.expected === 0 ? null : health.ok / health.expected
  const grade = coverage === null ? null : healthGrade(coverage)
  const poor = grade === 'D' || grade === 'F'
  const alerts = board?.row.alerts ?? null
  const inCrisis = alerts !== null && alerts.length > 0
  const summary = summaryOf(buckets)
  const isDepthBound = board?.row.depth_is_lower_bound === true || summary.depth_is_lower_bound
  const boardAge = board === null ? 0 : Date.parse(history.to) - Date.parse(board.computed_at)
  const warnings: Research['meta']['warnings'] = [
    ...(inCrisis ? (['crisis_open'] as const) : []),
    ...(board !== null && alerts === null ? (['alerts_unknown'] as const) : []),
    ...(health.ok < INTERVAL_VALUES_MIN ? (['few_scans'] as const) : []),
    ...(poor ? (['poor_coverage'] as const) : []),
    ...(isDepthBound ? (['depth_lower_bound'] as const) : []),
    ...(target.status === 'paused' ? (['target_paused'] as const) : []),
    ...(board === null ? (['no_board'] as const) : []),
    ...(boardAge > BOARD_STALE_MS ? (['stale_board'] as const) : []),
    ...(history.source === 'replay' ? (['replayed_data'] as const) : []),
  ]
  const row = board?.row
  const outlookReason =
    board === null ? 'no_board' : poor && !inCrisis ? 'poor_data' : row?.outlook == null ? 'under_a_day_of_data' : null
  const shareOf = (scans: number) => (health.expected === 0 ? null : scans / health.expected)
  return {
    meta: {
      research_version: 'v1',
      token_id: pair.token_id,
      exchange: pair.exchange,
      symbol: pair.symbol,
      source: history.source,
      days,
      from: history.from,
      to: history.to,
      target_since: target.added_at,
      target_status: target.status,
      board_computed_at: board?.computed_at ?? null,
      formula_version: board?.formula_version ?? null,
      warnings,
      grade: row?.grade ?? null,
      gpa: row?.gpa ?? null,
      gpa_is_lower_bound: row?.gpa_is_lower_bound ?? false,
      lifecycle: history.lifecycle,
      outlook: outlookReason === null ? (row?.outlook ?? null) : null,
      outlook_reason: outlookReason,
      flags: row?.flags ?? [],
      alerts,
      recent_alerts: row?.recent_alerts ?? null,
      not_judged: row?.not_judged ?? null,
      components: board?.components ?? [],
      risk: board?.risk ?? null,
      worth: board?.worth ?? null,
    },
    market: marketOf(history, days),
    events: {
      past_alerts: history.past_alerts,
      watched_since: history.watched_since,
      publishes_flags: history.publishes_flags,
      notices: history.notices,
    },
    kpi_2h: { bucket_minutes: 120, summary, buckets },
    percentiles: { peers: board?.peers ?? [], own_history: ownHistory(buckets) },
    microburst: microburstOf(captures),
    onchain: onchainOf(history.contract, onchain),
    data_health: {
      ...health,
      grade,
      coverage,
      stale_share: shareOf(health.stale),
      crossed_share: shareOf(health.crossed),
      truncated_share: shareOf(health.truncated),
      one_sided_share: shareOf(health.one_sided),
    },
  }
}

function microburstOf(captures: TargetHistory['captures']): Research['microburst'] {
  const { count, seconds, last_at, burst_count, bursts } = captures
  return {
    reason: count === 0 ? 'no_captures' : null,
    captures: count,
    captured_seconds: seconds,
    last_capture_at: last_at,
    burst_count,
    bursts_per_hour: seconds < CAPTURED_SECONDS_MIN ? null : (burst_count / seconds) * 3600,
    bursts,
  }
}

function summaryOf(buckets: readonly HistoryBucket[]): Research['kpi_2h']['summary'] {
  const complete = buckets.filter(isComplete)
  const newest = buckets.findLast((bucket) => bucket.ok > 0)
  const over = (among: readonly HistoryBucket[], read: (bucket: HistoryBucket) => number | null): Estimate => ({
    ...medianInterval(among.map(read)),
    basis: 'buckets',
  })
  /** Medians of buckets if there are enough; else the scans of the newest bucket. */
  const measured = (
    among: readonly HistoryBucket[],
    read: (bucket: HistoryBucket) => number | null,
    interval: (bucket: HistoryBucket) => readonly [number | null, number | null],
  ): Estimate => {
    const ofBuckets = over(among, read)
    if (ofBuckets.n >= INTERVAL_VALUES_MIN || newest === undefined) return ofBuckets
    const [low, high] = interval(newest)
    return { value: read(newest), low, high, n: newest.ok, basis: 'scans' }
  }
  const known = complete.filter((bucket) => bucket.depth_2pct_usd !== null)
  const deep = isBound(known) ? known : known.filter((bucket) => !bucket.depth_is_lower_bound)
  return {
    spread_bps: measured(
      complete,
      (bucket) => bucket.spread_bps,
      (bucket) => [bucket.spread_low_bps, bucket.spread_high_bps],
    ),
    depth_2pct_usd: measured(
      deep,
      (bucket) => bucket.depth_2pct_usd,
      (bucket) => [bucket.depth_low_usd, bucket.depth_high_usd],
    ),
    depth_is_lower_bound: isBound(deep.length >= INTERVAL_VALUES_MIN || newest === undefined ? deep : [newest]),
    cost_1k_bps: over(buckets, (bucket) => bucket.cost_1k_bps),
    cost_10k_bps: over(buckets, (bucket) => bucket.cost_10k_bps),
    volume_usd: over(complete, (bucket) => bucket.volume_usd),
    volume_coverage:
      complete.length === 0 ? null : sumOf(complete.map((bucket) => bucket.volume_minutes)) / (complete.length * 120),
    volatility_bps: over(complete, (bucket) => bucket.volatility_bps),
  }
}

/** Returns whether the median depth of buckets is a lower bound: more than a quarter of them are. */
const isBound = (buckets: readonly HistoryBucket[]) =>
  buckets.filter((bucket) => bucket.depth_is_lower_bound).length * 4 > buckets.length

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

function ownHistory(buckets: readonly HistoryBucket[]): Research['percentiles']['own_history'] {
  const complete = buckets.filter(isComplete)
  const newest = complete.at(-1)
  const rank = (
    key: 'spread' | 'depth' | 'volume',
    read: (bucket: HistoryBucket) => number | null,
    lessIsBetter: boolean,
  ) => {
    // Lower bounds are ranked among lower bounds, exact values among exact values.
    const alike = complete.filter(
      (bucket) => key !== 'depth' || bucket.depth_is_lower_bound === newest?.depth_is_lower_bound,
    )
    const known = alike.map(read).filter((value) => value !== null)
    const value = newest === undefined ? null : read(newest)
    const place = value === null || known.length < RANK_VALUES_MIN ? null : midRank(value, known)
    const isBound = key === 'depth' && newest?.depth_is_lower_bound === true
    return {
      key,
      value,
      is_lower_bound: isBound,
      percentile: place === null || !lessIsBetter ? place : 100 - place,
      n: known.length,
    }
  }
  return [
    rank('spread', (bucket) => bucket.spread_bps, true),
    rank('depth', (bucket) => bucket.depth_2pct_usd, false),
    rank('volume', (bucket) => bucket.volume_usd, false),
  ]
}

/** After so many due scans that failed, more waiting gives no more data. */
const DUE_SCANS_MAX = 10

/**
 * Returns what this history lacks for a report; null if it suffices. A pair that does not trade, and one that cannot be read, gets a
 * report of what is known.
 */
export function missingForReport(
  history: TargetHistory,
): { readonly missing: { what: 'scans'; have: number; need: number }[]; readonly expectedAt: string | null } | null {
  const lacking = REPORT_SCANS_MIN - history.health.ok
  const trades = history.lifecycle !== 'halted' && history.lifecycle !== 'delisted'
  if (lacking <= 0 || !trades || history.health.expected >= DUE_SCANS_MAX) return null
  return {
    missing: [{ what: 'scans', have: history.health.ok, need: REPORT_SCANS_MIN }],
    // One scan a minute, and one more minute until the first.
    expectedAt:
      history.target.status === 'paused'
        ? null
        : new Date(Date.parse(history.to) + (lacking + 1) * 60_000).toISOString(),
  }
}
