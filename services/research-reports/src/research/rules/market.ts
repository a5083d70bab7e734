import { BUCKET_MINUTES, type HistoryBucket, type TargetHistory } from '@svc/contracts/market-data/research'
import type { Research } from '@svc/contracts/research-reports/research'

const BUCKET_MS = 7_200_000
const DAY_MS = 86_400_000

type Market = Research['market']
type Cell = Market['series'][number]

/** Returns what a reader asks for first: price, present liquidity, course, other listings and peers. Pure. */
export function marketOf(history: TargetHistory, days: number): Market {
  const { buckets, board, venues, peers, price, hours_read_at } = history
  return {
    price,
    quote: history.pair.quote,
    now: presentOf(buckets, board),
    hours_read_at,
    series: seriesOf(history, days),
    venues,
    peers,
  }
}

/**
 * Returns the present liquidity. Spread and depth are those of the board, from which the pair is graded; before the first board
 * those of the newest scans. The cost of an order is known from scans alone.
 */
function presentOf(buckets: readonly HistoryBucket[], board: TargetHistory['board']): Market['now'] {
  const newest = buckets.findLast((bucket) => bucket.ok > 0)
  const graded = (key: 'spread' | 'depth') => board?.components.find((one) => one.key === key)
  const [spread, depth] = [graded('spread'), graded('depth')]
  const onBoard = depth != null && depth.value !== null
  return {
    spread_bps: spread?.value ?? newest?.spread_bps ?? null,
    depth_2pct_usd: onBoard ? depth.value : (newest?.depth_2pct_usd ?? null),
    depth_is_lower_bound: onBoard ? depth.is_lower_bound : (newest?.depth_is_lower_bound ?? false),
    cost_10k_bps: newest?.cost_10k_bps ?? null,
    cost_10k_reason: newest === undefined ? 'no_scan' : newest.cost_10k_bps === null ? 'not_filled' : null,
    cost_scans: newest?.ok ?? 0,
  }
}

/**
 * Returns the course in cells of two hours, oldest first: of the scans, and where there was none of the hours that were read
 * from the venue. Cells without a figure are absent. O(n).
 */
function seriesOf({ buckets, hours, to }: TargetHistory, days: number): Cell[] {
  const first = Math.floor(Date.parse(to) / BUCKET_MS) * BUCKET_MS - days * DAY_MS
  const cells = new Map<number, Cell>()
  for (const [start, group] of Map.groupBy(
    hours,
    (hour) => Math.floor(Date.parse(hour.start) / BUCKET_MS) * BUCKET_MS,
  )) {
    const cell = cellOfHours(start, group)
    if (start >= first && cell.close !== null) cells.set(start, cell)
  }
  for (const bucket of buckets) {
    const start = Date.parse(bucket.start)
    const read = cells.get(start)
    if (bucket.close === null && read !== undefined) continue
    // Where two hours were scanned in part, the venue's hours know the rest.
    const rest = bucket.expected < BUCKET_MINUTES ? read : undefined
    cells.set(start, {
      start: bucket.start,
      source: 'scans',
      high: most(bucket.high, rest?.high ?? null),
      low: least(bucket.low, rest?.low ?? null),
      close: bucket.close,
      volume_usd: bucket.volume_usd ?? read?.volume_usd ?? null,
      spread_bps: bucket.spread_bps,
      depth_2pct_usd: bucket.depth_2pct_usd,
      depth_is_lower_bound: bucket.depth_is_lower_bound,
    })
  }
  return [...cells.entries()].toSorted(([a], [b]) => a - b).map(([, cell]) => cell)
}

function cellOfHours(start: number, hours: TargetHistory['hours']): Cell {
  const known = (read: (hour: TargetHistory['hours'][number]) => number | null) =>
    hours.map(read).filter((value) => value !== null)
  const [highs, lows] = [known(({ high }) => high), known(({ low }) => low)]
  const volumes = known(({ volume_usd }) => volume_usd)
  const measured = hours.filter((hour) => hour.depth_2pct_usd !== null)
  // A mean of a lower bound and an exact value would be neither.
  const whole = measured.filter((hour) => !hour.depth_is_lower_bound)
  const depths = (whole.length > 0 ? whole : measured).flatMap((hour) => hour.depth_2pct_usd ?? [])
  return {
    start: new Date(start).toISOString(),
    source: 'hours',
    high: highs.length === 0 ? null : Math.max(...highs),
    low: lows.length === 0 ? null : Math.min(...lows),
    close: known(({ close }) => close).at(-1) ?? null,
    // A sum of one hour would pass for that of two.
    volume_usd: volumes.length < 2 ? null : volumes.reduce((sum, one) => sum + one, 0),
    spread_bps: meanOf(known(({ spread_bps }) => spread_bps)),
    depth_2pct_usd: meanOf(depths),
    depth_is_lower_bound: whole.length === 0 && depths.length > 0,
  }
}

const meanOf = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length
const most = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.max(a, b))
const least = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.min(a, b))
