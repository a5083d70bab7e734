import { job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, exchange, instant, symbol } from '../common.ts'
import { boardRow, component, is_lower_bound, lifecycle, pair, risk } from './board.ts'
import { miningRefusals } from '../mining/refusals.ts'

/** Minutes of a bucket in the history of a target. Buckets begin at even hours, UTC. */
export const BUCKET_MINUTES = 120
/** Most days of history in one answer. */
export const HISTORY_DAYS_MAX = 90
/** Most buckets in one answer: those of the longest history, plus one because both ends may cut a bucket. */
export const BUCKETS_MAX = (HISTORY_DAYS_MAX * 24 * 60) / BUCKET_MINUTES + 1
/** Most bursts in one answer; the newest are returned. */
export const BURSTS_MAX = 200

const count = z.int().min(0)
const share = z.number().min(0).max(1)
const figure = z.number().nullable()

export const notATarget = refusal('not_a_target', {
  status: 403,
  title: 'Not a target',
  meaning: 'The pair is not one of your priority targets. Research and reports exist only for these.',
  fix: 'Add the pair with POST /agent/targets/add and wait about two minutes for the first scans.',
})

/**
 * Sums of the scans of one bucket. Figures come from good scans only and are null without one. An interval is the
 * distribution-free 95 % interval of the median, from order statistics; null below 6 scans.
 */
export const historyBucket = z
  .object({
    start: instant,
    expected: count.max(BUCKET_MINUTES).meta({ description: 'Number of scans that have been due in the bucket' }),
    ok: count.max(BUCKET_MINUTES).meta({ description: 'Number of scans with a usable order book' }),
    spread_bps: figure.meta({ description: 'Median' }),
    spread_low_bps: figure,
    spread_high_bps: figure,
    spread_p95_bps: figure,
    depth_2pct_usd: figure.meta({ description: 'Median of twice the weaker side within 2 % of the mid' }),
    depth_is_lower_bound: z.boolean().meta({
      description: 'True if an order book of the bucket ended before 2 % of the mid: its depths are lower bounds',
    }),
    depth_low_usd: figure,
    depth_high_usd: figure,
    depth_p5_usd: figure,
    cost_1k_bps: figure.meta({ description: 'Median cost of a $1,000 market order on the more expensive side' }),
    cost_10k_bps: figure,
    imbalance: figure.meta({ description: 'Median share of the bids in the depth within 2 %, minus one half' }),
    volume_usd: figure.meta({ description: 'Null if the volume of fewer than nine tenths of the minutes is known' }),
    volume_minutes: count
      .max(BUCKET_MINUTES)
      .meta({ description: 'Number of minutes of the bucket whose volume is known' }),
    volume_coverage: share.nullable().meta({
      description: '`volume_minutes` as a share of the elapsed minutes of the bucket; null before the first',
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
        'Square root of the sum of squared one-minute log returns; null if fewer than nine tenths of the due scans were good',
    }),
    amihud: figure.meta({ description: 'Mean absolute one-minute return, bps per $1,000 traded' }),
  })
  .meta({ title: 'HistoryBucket' })
export type HistoryBucket = z.output<typeof historyBucket>

/** Completeness and failures of the scans in the window. */
export const scanHealth = z.object({
  expected: count,
  ok: count,
  longest_gap_minutes: count.meta({ description: 'Longest series of due minutes without a good scan' }),
  latency_p95_ms: figure.meta({ description: 'Median over the window of the 95th percentile of each two hours' }),
  clock_skew_ms: figure.meta({ description: "Median difference between the exchange's clock and ours" }),
  stale: count,
  crossed: count,
  truncated: count.meta({
    description: 'Order books that ended before 2 % of the mid, so that their depth is a lower bound',
  }),
  one_sided: count,
  errors: z.array(z.object({ class: z.string().max(32), count })).max(20),
})

/** A microburst in a capture; `docs/method/microburst.md` defines it. */
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

/** Mid-rank in percent among `n` values; 100 is the most liquid; null with fewer than 20 values. */
const rank = z.object({ percentile: z.number().min(0).max(100).nullable(), n: count })

export const peerRank = z.object({
  key: z.enum(['spread', 'depth', 'volume', 'stability']),
  value: figure,
  is_lower_bound,
  venue: rank.meta({ description: 'Among pairs of the same venue and class of quote currency' }),
  all: rank.meta({ description: 'Among all pairs of the board' }),
})

/** The pair in the newest snapshot of the board, with its rank among its peers. */
export const boardStanding = z.object({
  computed_at: instant,
  formula_version: z.string().max(64),
  row: boardRow,
  n_peers: count,
  components: z.array(component).max(4),
  risk: risk.nullable(),
  peers: z.array(peerRank).max(4),
})

/** The history of a target, for research and reports. */
export const researchOperations = {
  readTargetHistory: operation({
    summary: 'Read the scan history of a target, in buckets of two hours, for another service',
    description: 'Returns sums that the database computes. If a symbol was used again, only its current token counts.',
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
        from: instant.meta({ description: 'The later of the first bucket of `days` and the first due scan' }),
        to: instant.meta({ description: 'End of the newest minute that was scanned or is overdue' }),
        buckets: z
          .array(historyBucket)
          .max(BUCKETS_MAX)
          .meta({ description: 'Oldest first; the last bucket may be incomplete' }),
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
          .meta({ description: 'Approved contract address; null if none is approved' }),
        board: boardStanding.nullable(),
      }),
    },
    refusals: [miningRefusals.unknownPair, notATarget],
  }),
} as const
/** Job that stores the history of targets. */
export const researchJobs = {
  bucketScans: job({
    summary: 'Sum up and pack the scans of each completed two hours',
    everyMs: 60_000,
    max: 24,
    budgetSec: 60,
  }),
} as const
export type TargetHistory = z.output<(typeof researchOperations.readTargetHistory.success)[200]>
