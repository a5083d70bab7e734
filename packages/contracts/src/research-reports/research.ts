import { operation } from '@svc/contract'
import { z } from 'zod'
import {
  agentIdInPath,
  common,
  exchange,
  instant,
  queryInt,
  symbol,
  symbolInPath,
  tokenId,
  strangersText,
} from '../common.ts'
import { notYourAgent } from '../identity/accounts.ts'
import { alertMembers, pastAlert } from '../market-data/crisis.ts'
import { delistingWorth } from '../market-data/delisting-worth.ts'
import { component, gpa, is_lower_bound, letter, lifecycle, outlook, risk, venueFlag } from '../market-data/board.ts'
import {
  assetVenues,
  BUCKETS_MAX,
  BURSTS_MAX,
  historyBucket,
  microburst,
  notATarget,
  notice,
  NOTICES_MAX,
  PAST_ALERTS_MAX,
  peerRank,
  priceChanges,
  riskPeers,
  watchedSince,
  scanHealth,
  targetHour,
  TARGET_HOURS_MAX,
} from '../market-data/research.ts'
import { targetsOfAccount } from '../market-data/targets.ts'
import { miningRefusals } from '../mining/refusals.ts'

const count = z.int().min(0)
const figure = z.number().nullable()
const share = z.number().min(0).max(1)

/** A median with its 95 % interval. */
const estimate = z
  .object({
    value: figure.meta({ description: 'Median; null when nothing is known' }),
    low: figure.meta({ description: '95 % interval of the median; null while n is below 6' }),
    high: figure,
    n: count.meta({ description: 'Values behind the interval' }),
    basis: z.enum(['buckets', 'scans']).meta({
      description:
        '`buckets`: medians of two-hour buckets. `scans`: scans of one bucket, which follow each other closely; the true interval is wider',
    }),
  })
  .meta({ title: 'Estimate' })
export type Estimate = z.output<typeof estimate>

const standing = {
  grade: letter.nullable(),
  gpa: gpa.nullable(),
  gpa_is_lower_bound: z
    .boolean()
    .meta({ description: 'True if a deeper order book could only raise `grade` and `gpa`' }),
  lifecycle,
  outlook: outlook.nullable(),
  outlook_reason: z
    .enum(['no_board', 'under_a_day_of_data', 'poor_data'])
    .nullable()
    .meta({ description: 'Why the outlook is null' }),
  flags: z.array(venueFlag).max(20),
  ...alertMembers,
  components: z.array(component).max(4).meta({ description: 'Components of the grade; empty before the first board' }),
  worth: delistingWorth.nullable().meta({
    description:
      'What the rank of this pair was worth in the past; null without a rank, or if this model was not measured',
  }),
  risk: risk.nullable().meta({ description: 'Delisting risk: a rank among peers, not a probability' }),
}

/** Two hours of a pair, from its scans or from hours of the venue that were read when it was added. */
const cell = targetHour
  .extend({
    source: z.enum(['scans', 'hours']).meta({
      description:
        '`scans`: our scans of each minute. `hours`: candles of the venue, with the spread and depth of the board',
    }),
  })
  .meta({ title: 'CourseCell' })

const market = z.object({
  price: priceChanges.nullable().meta({ description: 'Null until the pair was observed' }),
  quote: z.string().max(32),
  now: z.object({
    spread_bps: figure,
    depth_2pct_usd: figure.meta({
      description: 'Twice the weaker side within 2 % of the mid, as it is graded: median of the last two hours',
    }),
    depth_is_lower_bound: z.boolean(),
    cost_10k_bps: figure.meta({ description: 'Median cost of a $10,000 market order on the more expensive side' }),
    cost_10k_reason: z
      .enum(['no_scan', 'not_filled'])
      .nullable()
      .meta({ description: 'Why the cost is null; `not_filled`: the levels that were read do not fill $10,000' }),
    cost_scans: count.meta({ description: 'Scans behind the cost' }),
  }),
  hours_read_at: instant.nullable().meta({ description: 'When seven days of prices were read from the venue' }),
  series: z
    .array(cell)
    .max(BUCKETS_MAX + TARGET_HOURS_MAX)
    .meta({ description: 'Two-hour cells, oldest first; cells without a price are absent' }),
  venues: assetVenues,
  peers: riskPeers.nullable().meta({ description: 'Null before the first board' }),
})

/** Research v1: all sections about a pair. */
export const research = z
  .object({
    meta: z.object({
      research_version: z.literal('v1'),
      token_id: tokenId,
      exchange,
      symbol,
      source: z.enum(['live', 'replay']).meta({ description: '`replay`: recorded or synthetic markets' }),
      days: z.int().min(1).max(90),
      from: instant,
      to: instant,
      target_since: instant,
      target_status: z.enum(['active', 'paused']),
      board_computed_at: instant.nullable(),
      formula_version: z.string().max(64).nullable(),
      warnings: z
        .array(
          z.enum([
            'crisis_open',
            'alerts_unknown',
            'depth_lower_bound',
            'few_scans',
            'poor_coverage',
            'target_paused',
            'no_board',
            'stale_board',
            'replayed_data',
          ]),
        )
        .max(9)
        .meta({ description: 'What to keep in mind when reading the figures' }),
      ...standing,
    }),
    market,
    events: z.object({
      past_alerts: z
        .array(pastAlert)
        .max(PAST_ALERTS_MAX)
        .meta({ description: 'Crisis episodes that closed within 90 days, newest first; open ones are `meta.alerts`' }),
      watched_since: watchedSince.optional(),
      publishes_flags: z.boolean().meta({
        description:
          'False if the venue publishes neither official flags nor announcements without a key: then no flag means nothing',
      }),
      notices: z
        .array(notice)
        .max(NOTICES_MAX)
        .meta({ description: 'What the venue said about the pair, and changes of its lifecycle, newest first' }),
    }),
    kpi_2h: z.object({
      bucket_minutes: z.literal(120),
      summary: z.object({
        spread_bps: estimate,
        depth_2pct_usd: estimate,
        depth_is_lower_bound: z.boolean().meta({
          description:
            'True if a book behind the figure ended before 2 % from the mid: the depth is at least this large',
        }),
        cost_1k_bps: estimate,
        cost_10k_bps: estimate,
        volume_usd: estimate.meta({ description: 'Per complete bucket' }),
        volume_coverage: share
          .nullable()
          .meta({ description: 'Share of the minutes of the complete buckets whose volume is known' }),
        volatility_bps: estimate,
      }),
      buckets: z.array(historyBucket).max(BUCKETS_MAX).meta({ description: 'Oldest first; the last may be open' }),
    }),
    percentiles: z.object({
      peers: z.array(peerRank).max(4).meta({ description: 'Empty before the first board' }),
      own_history: z
        .array(
          z.object({
            key: z.enum(['spread', 'depth', 'volume']),
            value: figure,
            is_lower_bound,
            percentile: z
              .number()
              .min(0)
              .max(100)
              .nullable()
              .meta({ description: 'Mid-rank, 100 = most liquid; null while n is below 20' }),
            n: count,
          }),
        )
        .max(3)
        .meta({ description: 'Rank of the newest complete bucket among all complete buckets' }),
    }),
    microburst: z.object({
      reason: z.enum(['no_captures']).nullable().meta({ description: 'Why no figure is known; null when one is' }),
      captures: count,
      captured_seconds: z.number().min(0),
      last_capture_at: instant.nullable(),
      burst_count: count,
      bursts_per_hour: figure.meta({ description: 'Bursts per captured hour; null under 10 captured minutes' }),
      bursts: z.array(microburst).max(BURSTS_MAX),
    }),
    onchain: z.object({
      reason: z.enum(['no_approved_address', 'not_indexed', 'chain_unavailable']).nullable().meta({
        description:
          'Why figures are null: no contract address of this token was approved, the approved address is not a contract on the indexed chain, or the chain could not be read now. Null when the chain was read; a figure that is null then is one that the contract does not report',
      }),
      value: z
        .object({
          blockchain: strangersText(64),
          contract_address: strangersText(512),
          total_supply: z.string().max(80).nullable().meta({ description: 'Base units' }),
          decimals: z.int().min(0).max(255).nullable(),
          code_present: z.boolean().nullable(),
          read_at: instant.nullable(),
        })
        .nullable(),
    }),
    data_health: scanHealth.extend({
      grade: z
        .enum(['A', 'B', 'C', 'D', 'F'])
        .nullable()
        .meta({ description: 'By coverage; null before the first scan was due' }),
      coverage: share.nullable(),
      stale_share: share.nullable(),
      crossed_share: share.nullable(),
      truncated_share: share.nullable(),
      one_sided_share: share.nullable(),
    }),
  })
  .meta({ title: 'Research' })
export type Research = z.output<typeof research>

const days = queryInt(1, 90, 21, 'Days of data')

/** Whose targets and reports an owner reads. */
export const asAgent = {
  agent_id: agentIdInPath.optional().meta({
    description:
      'For owner sessions: the paired agent whose targets and reports are read, with its tier. Omit it for your own',
  }),
}

/** Refusals of reads that an owner may make for a paired agent. */
export const asAgentRefusals = [notYourAgent, common.tierRequired] as const

const readResearch = {
  auth: 'account',
  tier: 1,
  tierOfAgent: 'agent_id',
  success: { 200: research },
  refusals: [common.invalidRequest, miningRefusals.unknownPair, notATarget, ...asAgentRefusals],
} as const

/** Research data of targets. */
export const researchOperations = {
  listAgentTargets: operation({
    ...readResearch,
    summary: 'List the pairs that research can be read about: your targets, or those of your paired agent',
    description: 'Returns the targets of GET /agent/targets, for the owner of an agent too.',
    http: 'GET /research/targets',
    input: z.strictObject(asAgent),
    success: { 200: targetsOfAccount },
    refusals: asAgentRefusals,
  }),
  readPairResearch: operation({
    ...readResearch,
    summary: 'Read the research data about one of your targets',
    description: 'Returns Research v1. Unknown figures are null; a section without data names the cause in `reason`.',
    http: 'GET /research/pair',
    tool: 'research',
    toolTitle: 'Research on a target',
    input: z.strictObject({ exchange, symbol, days, ...asAgent }),
  }),
  readResearch: operation({
    ...readResearch,
    summary: 'Read the research data about one of your targets, with the pair in the path',
    description: 'Returns the same as GET /research/pair.',
    http: 'GET /agent/research/{exchange}/{symbol}',
    input: z.strictObject({ exchange, symbol: symbolInPath, days, ...asAgent }),
  }),
}
