import { job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, exchange, instant, symbol, tokenId, strangersText } from '../common.ts'
import { boardRow, component, is_lower_bound, letter, lifecycle, pair, risk } from './board.ts'
import { alertMembers, pastAlert } from './crisis.ts'
import { delistingWorth } from './delisting-worth.ts'
import { miningRefusals } from '../mining/refusals.ts'

/** Minutes of a bucket in the history of a target. Buckets begin at even hours, UTC. */
export const BUCKET_MINUTES = 120
/** Most days of history in one answer. */
export const HISTORY_DAYS_MAX = 90
/** Most buckets in one answer: those of the longest history, plus one because both ends may cut a bucket. */
export const BUCKETS_MAX = (HISTORY_DAYS_MAX * 24 * 60) / BUCKET_MINUTES + 1
/** Most bursts in one answer; the newest are returned. */
export const BURSTS_MAX = 200

/** Hours of price history that are read when a target is added, at most. */
export const TARGET_HOURS_MAX = 200
/** Most listings of an asset in one answer. */
export const VENUE_PAIRS_MAX = 20
/** Closed alerts of so many days are returned, at most so many. */
export const PAST_ALERTS_DAYS = 90
export const PAST_ALERTS_MAX = 20
/** Most notices of a venue in one answer. */
export const NOTICES_MAX = 20

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
  worth: delistingWorth.nullable().meta({
    description:
      'What the rank of this pair was worth in the past; null without a rank, or if this model was not measured',
  }),
  peers: z.array(peerRank).max(4),
})

/** One hour of a pair before and beside its scans: price and volume of the venue's candle, spread and depth as the board observed them. */
export const targetHour = z.object({
  start: instant,
  high: figure,
  low: figure,
  close: figure,
  volume_usd: figure,
  spread_bps: figure,
  depth_2pct_usd: figure,
  depth_is_lower_bound: z.boolean(),
})

/** The last price and its changes. */
export const priceChanges = z
  .object({
    last: z.number().positive().meta({ description: 'In the quote currency' }),
    at: instant,
    change_1h_pct: figure.meta({ description: 'Percent; null if the price of that time is unknown' }),
    change_24h_pct: figure,
    change_7d_pct: figure,
  })
  .meta({ title: 'PriceChanges' })

const marketFigures = {
  spread_bps: figure,
  depth_2pct_usd: figure,
  depth_is_lower_bound: z.boolean(),
  volume_24h_usd: figure,
}

/** Whether the grade rests on a depth that is a lower bound; the last release did not say it. */
const gradeIsBound = z.boolean().optional()

/** All listings of the asset that are proven to be it. */
export const assetVenues = z
  .object({
    total: count.meta({ description: 'Listings of this asset, this pair among them' }),
    exchanges: count,
    volume_24h_usd: figure.meta({ description: 'Sum over the listings whose volume is known' }),
    volume_known_of: count.meta({ description: 'Number of listings whose volume is known' }),
    basis: z
      .array(z.string().max(200))
      .max(10)
      .meta({ description: 'What proves that listings at several venues are one asset' }),
    pairs: z
      .array(
        z.object({
          token_id: tokenId,
          exchange,
          symbol,
          is_this: z.boolean(),
          grade: letter.nullable(),
          gpa_is_lower_bound: gradeIsBound,
          lifecycle: lifecycle.nullable(),
          ...alertMembers,
          price: figure.meta({ description: 'In the quote currency of the listing' }),
          ...marketFigures,
          volume_share: share.nullable().meta({ description: 'Share of `volume_24h_usd` of the asset' }),
        }),
      )
      .max(VENUE_PAIRS_MAX)
      .meta({ description: 'Largest volume first; this pair is always among them' }),
    unproven: z
      .array(exchange)
      .max(50)
      .meta({ description: 'Exchanges with the same ticker that is not proven to be this asset; not counted' }),
  })
  .meta({ title: 'AssetVenues' })

/** The pair among the pairs of its venue and class of quote currency. */
export const riskPeers = z
  .object({
    rank: z.int().min(1).nullable().meta({ description: 'Place by risk score, 1 = riskiest; null without a score' }),
    of: count.meta({ description: 'Pairs with a risk score' }),
    volume_rank: z.int().min(1).nullable().meta({ description: 'Place by 24-hour volume, 1 = largest' }),
    near: z
      .array(
        z.object({
          token_id: tokenId,
          symbol,
          grade: letter.nullable(),
          gpa_is_lower_bound: gradeIsBound,
          risk_score: z.int().min(0).max(100).nullable(),
          lifecycle,
          ...alertMembers,
          ...marketFigures,
        }),
      )
      .max(4)
      .meta({ description: 'Pairs of other assets with the nearest 24-hour volume, largest first' }),
  })
  .meta({ title: 'RiskPeers' })

/** What the venue said about the pair, or a change of its lifecycle. */
export const notice = z
  .object({
    at: instant.meta({ description: 'When it was first seen; of `listed` the time that the venue states' }),
    kind: z.enum(['listed', 'flag_raised', 'flag_ended', 'lifecycle']),
    detail: strangersText(100).meta({ description: "The venue's name of the flag, or the new state" }),
    effective_at: instant.nullable(),
    source: z.string().max(200).nullable().meta({ description: 'Where a flag was read; null if it is not stored' }),
    published_at: instant.nullable().meta({ description: 'When the venue published it; null if it states no time' }),
    title: strangersText(300).nullable().meta({
      description: "The venue's own words: the title of its announcement; null if the flag has another source",
    }),
    url: strangersText(500).nullable().meta({ description: 'Where the venue published that announcement' }),
  })
  .meta({ title: 'Notice' })

/** When a pair was first observed; the last release did not know it. */
export const watchedSince = instant.meta({
  description: 'First observation of the pair: of what was before, no alert is known',
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
        hours: z
          .array(targetHour)
          .max(TARGET_HOURS_MAX)
          .meta({ description: 'The last seven days by the hour, oldest first; empty until they have been read' }),
        hours_read_at: instant.nullable(),
        price: priceChanges.nullable().meta({ description: 'Null until the pair was observed' }),
        venues: assetVenues,
        peers: riskPeers.nullable().meta({ description: 'Null before the first board' }),
        past_alerts: z
          .array(pastAlert)
          .max(PAST_ALERTS_MAX)
          .meta({ description: 'Closed within 90 days, newest first' }),
        watched_since: watchedSince.optional(),
        publishes_flags: z.boolean().meta({
          description:
            'False if the venue publishes neither official flags nor announcements without a key: then no flag means nothing',
        }),
        notices: z.array(notice).max(NOTICES_MAX).meta({ description: 'Newest first' }),
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
  readHours: job({
    summary: 'Read the last seven days of each new target by the hour, in one call',
    shared: true,
    everyMs: 15_000,
    wokenBy: ['addTarget'],
    max: 50,
    budgetSec: 60,
  }),
  bucketScans: job({
    summary: 'Sum up and pack the scans of each completed two hours',
    everyMs: 60_000,
    max: 24,
    budgetSec: 60,
  }),
} as const
export type TargetHistory = z.output<(typeof researchOperations.readTargetHistory.success)[200]>
