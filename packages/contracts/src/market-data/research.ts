import { job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, exchange, instant, symbol } from '../common.ts'
import { boardRow, component, is_lower_bound, lifecycle, pair, risk } from './board.ts'
import { miningRefusals } from '../mining/contract.ts'

/** Minutes of a bucket of a target's history. Buckets begin at even hours, UTC. */
export const BUCKET_MINUTES = 120
/** Days of history that can be asked for. */
export const HISTORY_DAYS_MAX = 90
/** Buckets in one answer: those of the longest history, and one cut by each end. */
export const BUCKETS_MAX = (HISTORY_DAYS_MAX * 24 * 60) / BUCKET_MINUTES + 1
/** Bursts in one answer, the newest. */
export const BURSTS_MAX = 200

const count = z.int().min(0)
const share = z.number().min(0).max(1)
const figure = z.number().nullable()

export const notATarget = refusal('not_a_target', {
  status: 403,
  title: 'Not a target',
  meaning: 'The pair is not among your priority targets; research and reports are for those.',
  fix: 'Add it with POST /agent/targets/add and wait about two minutes for the first scans.',
})

/**
 * What the scans of one bucket say. Figures come from good scans only and are null when there is none. An interval is
 * the distribution-free 95 % interval of the median, from order statistics; null below 6 scans.
 */
export const historyBucket = z
  .object({
    start: instant,
    expected: count.max(BUCKET_MINUTES).meta({ description: 'Scans that were due in the bucket so far' }),
    ok: count.max(BUCKET_MINUTES).meta({ description: 'Scans that gave a usable book' }),
    spread_bps: figure.meta({ description: 'Median' }),
    spread_low_bps: figure,
    spread_high_bps: figure,
    spread_p95_bps: figure,
    depth_2pct_usd: figure.meta({ description: 'Median of twice the weaker side within 2 % of the mid' }),
    depth_is_lower_bound: z
      .boolean()
      .meta({ description: 'A book of the bucket ended before 2 % of the mid: all its depths are at least so large' }),
    depth_low_usd: figure,
    depth_high_usd: figure,
    depth_p5_usd: figure,
    cost_1k_bps: figure.meta({ description: 'Median cost of a $1,000 market order, the dearer side' }),
    cost_10k_bps: figure,
    imbalance: figure.meta({ description: 'Median share of the bids in the depth within 2 %, minus one half' }),
    volume_usd: figure.meta({ description: 'Null while fewer than nine tenths of the minutes are known' }),
    volume_minutes: count.max(BUCKET_MINUTES).meta({ description: 'Minutes of the bucket whose volume is known' }),
    volume_coverage: share.nullable().meta({
      description: 'Those minutes as a share of the minutes of the bucket that are over; null before the first',
    }),
    trades: count.nullable(),
    zero_trade_share: share.nullable().meta({ description: 'Share of minutes without a trade' }),
    open: figure,
    high: figure,
    low: figure,
    close: figure,
    vwap: figure,
    volatility_bps: figure.meta({
      description:
        'Root of the summed squared one-minute log returns; null where fewer than nine tenths of the scans due were good',
    }),
    amihud: figure.meta({ description: 'Mean absolute return of a minute, bps per $1,000 traded' }),
  })
  .meta({ title: 'HistoryBucket' })
export type HistoryBucket = z.output<typeof historyBucket>

/** How well a target was scanned in the window. */
export const scanHealth = z.object({
  expected: count,
  ok: count,
  longest_gap_minutes: count.meta({ description: 'Longest run of due minutes without a good scan' }),
  latency_p95_ms: figure.meta({ description: '95th percentile of two hours, median of the window' }),
  clock_skew_ms: figure.meta({ description: "Median of the venue's time minus ours" }),
  stale: count,
  crossed: count,
  truncated: count.meta({ description: 'Books that end before 2 % of the mid: their depth is a lower bound' }),
  one_sided: count,
  errors: z.array(z.object({ class: z.string().max(32), count })).max(20),
})

/** One microburst found in a capture, as the method documents define it. */
export const microburst = z
  .object({
    start: instant,
    duration_ms: z.number().min(0),
    orders: count,
    fills: count,
    notional_usd: z.number().min(0),
    signed_notional_usd: z.number(),
    range_bps: z.number(),
    impact_bps: figure,
    replenishment_half_life_ms: figure,
    reversion_10s: figure,
    reversion_60s: figure,
  })
  .meta({ title: 'Microburst' })

/** Mid-rank in percent, 100 = most liquid, among `n` values; null with fewer than 20. */
const rank = z.object({ percentile: z.number().min(0).max(100).nullable(), n: count })

export const peerRank = z.object({
  key: z.enum(['spread', 'depth', 'volume', 'stability']),
  value: figure,
  is_lower_bound,
  venue: rank.meta({ description: 'Among pairs of the same venue and class of quote currency' }),
  all: rank.meta({ description: 'Among all pairs of the board' }),
})

/** What the newest board says of the pair; null before its first board. */
export const boardStanding = z.object({
  computed_at: instant,
  formula_version: z.string().max(64),
  row: boardRow,
  n_peers: count,
  components: z.array(component).max(4),
  risk: risk.nullable(),
  peers: z.array(peerRank).max(4),
})

/** A target's scans as research and reports need them. */
export const researchOperations = {
  readTargetHistory: operation({
    summary: 'Read what the scans of a target say, in buckets of two hours',
    description: 'Aggregated in the database. Of a symbol that was used again, only the token that carries it now.',
    auth: 'service',
    callers: ['research-reports'],
    input: z.strictObject({
      account_id: accountId,
      exchange,
      symbol,
      days: z.int().min(1).max(HISTORY_DAYS_MAX),
    }),
    success: {
      200: z.object({
        pair,
        lifecycle,
        source: z.enum(['live', 'replay']),
        target: z.object({ added_at: instant, status: z.enum(['active', 'paused']) }),
        from: instant.meta({ description: 'The later of the first bucket of `days` and the first scan that was due' }),
        to: instant.meta({ description: 'End of the newest minute that was scanned or is overdue' }),
        buckets: z.array(historyBucket).max(BUCKETS_MAX).meta({ description: 'Oldest first; the last may be open' }),
        health: scanHealth,
        captures: z.object({
          count,
          seconds: z.number().min(0),
          last_at: instant.nullable(),
          burst_count: count,
          bursts: z.array(microburst).max(BURSTS_MAX).meta({ description: 'Newest first' }),
        }),
        contract: z
          .object({ chain: z.string().max(64), address: z.string().max(512) })
          .nullable()
          .meta({ description: 'Approved contract address' }),
        board: boardStanding.nullable(),
      }),
    },
    refusals: [miningRefusals.unknownPair, notATarget],
  }),
} as const
/** Jobs behind the history of targets. */
export const researchJobs = {
  bucketScans: job({
    summary: 'Sum up and pack the scans of each two hours that ended',
    everyMs: 60_000,
    max: 24,
    budgetSec: 60,
  }),
} as const
export type TargetHistory = z.output<(typeof researchOperations.readTargetHistory.success)[200]>
