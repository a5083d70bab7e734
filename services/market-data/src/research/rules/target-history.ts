import { BUCKET_MINUTES, type HistoryBucket, type TargetHistory } from '@svc/contracts/market-data/research'
import { medianOf } from '#markets/rules/rolling-day.ts'

const MINUTE_MS = 60_000
const BUCKET_MS = BUCKET_MINUTES * MINUTE_MS

/** Members of a bucket that are derived from others. */
type Derived = 'start' | 'expected' | 'depth_is_lower_bound' | 'volume_coverage'

/** Least share of known minutes for a sum; below it the sum would pass a part off as the whole. */
const SUM_COVERAGE_MIN = 0.9

/** With this number of complete deeper books in a bucket, its depths are theirs and no lower bounds. */
export const DEEPER_MIN = 6

/** A stored bucket; `scanned` and `good` are ranges of minutes within it, as Postgres writes them: `{[0,57),[58,120)}`. */
export interface StoredBucket extends Omit<HistoryBucket, Derived> {
  readonly bucket: string
  readonly scanned: string
  readonly good: string
  readonly latency_p95_ms: number | null
  readonly skew_ms: number | null
  readonly stale: number
  readonly crossed: number
  readonly truncated: number
  readonly deeper: number
  /** Null in rows of the release before this figure was stored. */
  readonly depth_is_lower_bound: boolean | null
  readonly one_sided: number
  readonly errors: Readonly<Record<string, number>> | null
}

export interface HistoryQuestion {
  readonly days: number
  readonly addedAt: number
  readonly isActive: boolean
  readonly now: number
}

/** Returns the begin of the first bucket of `days` days before `now`, milliseconds. */
export function windowStart(now: number, days: number): number {
  return Math.floor(now / BUCKET_MS) * BUCKET_MS - days * 86_400_000
}

/**
 * Returns the buckets and the data health of a target. A minute was due if it has a scan or if the target was active: a
 * minute without any scan is also our failure. The current minute and the minute before may still be scanned.
 */
export function historyOf(
  stored: readonly StoredBucket[],
  { days, addedAt, isActive, now }: HistoryQuestion,
): Pick<TargetHistory, 'from' | 'to' | 'buckets' | 'health'> {
  const byStart = new Map(stored.map((one) => [Date.parse(one.bucket), one]))
  const first = windowStart(now, days)
  const firstScan = Math.min(
    ...stored.map((one) => Date.parse(one.bucket) + (rangesOf(one.scanned)[0]?.[0] ?? 0) * MINUTE_MS),
  )
  const lastScan = Math.max(
    ...stored.map((one) => Date.parse(one.bucket) + ((rangesOf(one.scanned).at(-1)?.[1] ?? 1) - 1) * MINUTE_MS),
  )
  // The minute in which a target is added is not due: the first scan may take a minute.
  const due = isActive ? (Math.floor(addedAt / MINUTE_MS) + 1) * MINUTE_MS : Infinity
  const overdue = isActive ? Math.floor(now / MINUTE_MS) * MINUTE_MS - MINUTE_MS : -Infinity
  const to = Math.max(lastScan + MINUTE_MS, Math.max(overdue, first))
  const from = Math.max(first, Math.min(firstScan, due, to))

  const buckets: HistoryBucket[] = []
  let expected = 0
  let gap = 0
  let longestGap = 0
  for (let start = Math.floor(from / BUCKET_MS) * BUCKET_MS; start < to; start += BUCKET_MS) {
    const one = byStart.get(start)
    const scanned = minutesOf(one?.scanned)
    const good = minutesOf(one?.good)
    let dueHere = 0
    for (let place = 0; place < BUCKET_MINUTES; place += 1) {
      const at = start + place * MINUTE_MS
      if (scanned[place] === 0 && (at < due || at >= overdue)) continue
      dueHere += 1
      gap = good[place] === 1 ? 0 : gap + 1
      longestGap = Math.max(longestGap, gap)
    }
    expected += dueHere
    // Hours in which no account watched the pair have no bucket.
    if (dueHere > 0) buckets.push(bucketOf(start, dueHere, Math.min(BUCKET_MINUTES, minutesOver(start, now)), one))
  }
  const sum = (read: (one: StoredBucket) => number) => stored.reduce((total, one) => total + read(one), 0)
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    buckets,
    health: {
      expected,
      ok: sum((one) => one.ok),
      longest_gap_minutes: longestGap,
      latency_p95_ms: medianOf(stored.map((one) => one.latency_p95_ms).filter((value) => value !== null)),
      clock_skew_ms: medianOf(stored.map((one) => one.skew_ms).filter((value) => value !== null)),
      stale: sum((one) => one.stale),
      crossed: sum((one) => one.crossed),
      truncated: sum((one) => one.truncated),
      one_sided: sum((one) => one.one_sided),
      errors: errorsOf(stored),
    },
  }
}

/** Returns begin and end of each range of a multirange such as `{[0,57),[58,120)}`, in order. */
function rangesOf(multirange: string): (readonly [number, number])[] {
  return [...multirange.matchAll(/\[(\d+),(\d+)\)/g)].map(([, low, high]) => [Number(low), Number(high)])
}

/** Returns 1 for each minute of a bucket that is in the multirange, else 0. */
function minutesOf(multirange = '{}'): Uint8Array {
  const minutes = new Uint8Array(BUCKET_MINUTES)
  for (const [low, high] of rangesOf(multirange)) minutes.fill(1, low, high)
  return minutes
}

const EMPTY = {
  ok: 0,
  spread_bps: null,
  spread_low_bps: null,
  spread_high_bps: null,
  spread_p95_bps: null,
  depth_2pct_usd: null,
  depth_low_usd: null,
  depth_high_usd: null,
  depth_p5_usd: null,
  cost_1k_bps: null,
  cost_10k_bps: null,
  imbalance: null,
  volume_usd: null,
  volume_minutes: 0,
  trades: null,
  zero_trade_share: null,
  open: null,
  high: null,
  low: null,
  close: null,
  vwap: null,
  volatility_bps: null,
  amihud: null,
} as const

/** Returns how many minutes of a bucket can be known by now: a scan contains the minute before it. */
const minutesOver = (start: number, now: number) => Math.max(0, Math.floor((now - start) / MINUTE_MS) - 1)

function bucketOf(start: number, expected: number, over: number, stored: StoredBucket | undefined): HistoryBucket {
  const figures = Object.fromEntries(
    Object.entries(EMPTY).map(([key, empty]) => [key, stored?.[key as keyof typeof EMPTY] ?? empty]),
  ) as unknown as Omit<HistoryBucket, Derived>
  const coverage = over === 0 ? null : Math.min(1, figures.volume_minutes / over)
  const isSummed = coverage !== null && coverage >= SUM_COVERAGE_MIN
  return {
    start: new Date(start).toISOString(),
    expected,
    ...figures,
    volume_usd: isSummed ? figures.volume_usd : null,
    trades: isSummed ? figures.trades : null,
    volume_coverage: coverage,
    volatility_bps: figures.ok >= expected * SUM_COVERAGE_MIN ? figures.volatility_bps : null,
    depth_is_lower_bound:
      stored !== undefined && (stored.depth_is_lower_bound ?? (stored.truncated > 0 && stored.deeper < DEEPER_MIN)),
  }
}

function errorsOf(stored: readonly StoredBucket[]): { class: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { errors } of stored)
    for (const [name, count] of Object.entries(errors ?? {})) counts.set(name, (counts.get(name) ?? 0) + count)
  return [...counts]
    .map(([name, count]) => ({ class: name, count }))
    .sort((a, b) => b.count - a.count || (a.class < b.class ? -1 : 1))
    .slice(0, 20)
}
