import { job, operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, agentIdInPath, common, instant, queryInt, utcDay, strangersText } from '../common.ts'
import { policyDirection, policyItemName, POLICY_CHANGES_MAX } from '../identity/policy.ts'
import { address, chainId, count, mandateState, publicId } from '../mandates/fields.ts'

/** Days and trades that an agent needs to be ranked. */
export const RANKED_DAYS = 14
export const RANKED_TRADES = 10
/** Most mandates on the page of one agent, and most days of a series. */
export const HALL_MANDATES_SHOWN = 50
export const HALL_SERIES_DAYS = 366
/** Most agents of which one call reads the rank. */
export const RANKS_MAX = 50

/** Windows of the Hall: the last closed UTC days, or all. */
export const HALL_WINDOWS = ['7d', '30d', '90d', 'all'] as const
export const hallWindow = z.enum(HALL_WINDOWS)
export type HallWindow = z.output<typeof hallWindow>
export const HALL_SORTS = ['days_live', 'worth_change', 'adherence', 'trades', 'drawdown'] as const
export const hallSort = z.enum(HALL_SORTS)
export type HallSort = z.output<typeof hallSort>

const bps = z.int().min(-10_000).max(Number.MAX_SAFE_INTEGER)
const pct = z.number().min(0).max(100)

const snapshotMembers = {
  computed_at: instant.nullable().meta({ description: 'When the snapshot was computed; null before the first' }),
  stale: z.boolean().meta({ description: 'True if the snapshot is older than 10 minutes' }),
  pending: z.boolean().meta({ description: 'True until the first snapshot exists' }),
}

const refusals = z.object({
  total: count,
  by_kind: z.record(z.string().max(60), count).meta({ description: 'As agents and the chain report them' }),
})

/** What a window decides. */
const windowMembers = {
  adherence_pct: pct.nullable().meta({
    description: 'Days inside all limits of the days counted, in the window; null without a day',
  }),
  worth_change_bps: bps.nullable().meta({
    description: 'Time-weighted, without deposits, withdrawals and foreign money; null if unknown',
  }),
  worth_change_low_bps: bps.nullable().meta({
    description: 'Low end of the 90 % interval, wider with each sibling agent; null below 14 days',
  }),
  worth_change_high_bps: bps.nullable(),
  max_drawdown_bps: z.int().min(0).max(10_000).nullable(),
  trades: count,
  refusals,
  violations: count,
  foreign_days: count.meta({
    description: 'Days with fills in the account that are not of the mandate: a gain of such a day is not counted',
  }),
}

const rowMembers = {
  agent_id: accountId,
  name: strangersText(64),
  rank: z.int().min(1).max(1_000_000_000).nullable().meta({
    description:
      'Place among the ranked agents by the low end of their worth change in all days, those with an independent owner first',
  }),
  ranked: z.boolean(),
  days_needed: z.int().min(0).max(RANKED_DAYS).meta({ description: 'Days that the agent still needs to be ranked' }),
  trades_needed: z.int().min(0).max(RANKED_TRADES),
  days_live: count.meta({ description: 'UTC days with an open, funded mandate' }),
  mandates: z.object({ open: count, closed: count, stopped: count, kept_inside_limits: count }),
  ...windowMembers,
  independent_owners: z.enum(['0', '1', '2-4', '5+']).meta({
    description: 'Owners with at least 25 USDC who are neither paired with the agent nor share its wallet',
  }),
  sibling_agents: count.meta({ description: 'Other agents of the same paired owner' }),
  accepting: z.boolean(),
  operator: z.enum(['signal', 'vault']).nullable(),
  house: z.boolean(),
  degraded: z.boolean().meta({ description: 'True for the last good row, kept while no newer one can be built' }),
  record_error: z.boolean().meta({ description: 'True if no row can be built; the figures are then null or 0' }),
  row_computed_at: instant,
}

/** A row of the Hall. */
export const hallRow = z.object(rowMembers).meta({ title: 'HallRow' })
export type HallRow = z.output<typeof hallRow>

/** Daily index: 100 before the first day, rounded to 0.01, without amounts. */
const series = z.object({
  from: utcDay.meta({ description: 'Day of the first value' }),
  values: z
    .array(z.number().min(0).nullable())
    .max(HALL_SERIES_DAYS)
    .meta({ description: 'Index at the end of each UTC day, 100 before the first; null on a day without a rating' }),
})

/** A mandate as the page of its agent shows it: no owner, no wallet, no amount. */
const hallMandateView = z
  .object({
    mandate: z.string().max(12).meta({ description: 'Place among the mandates of the agent, oldest first: m1, m2' }),
    state: mandateState,
    hl_leg: z.boolean(),
    days_live: count,
    counts_for_worth: z.boolean().meta({ description: 'False before a UTC day with 25 USDC has closed' }),
    worth_change_bps: bps.nullable(),
    max_drawdown_bps: z.int().min(0).max(10_000).nullable(),
    trades: count,
    clauses: z.object({
      kept: z.boolean().meta({ description: 'True if no violation is on its record' }),
      violations: count,
      days_outside: count,
    }),
    refusals,
    foreign_days: count,
    record: z.object({ seq: count, hash: z.string().max(64) }).meta({ description: 'Head of its record' }),
    series: series.nullable(),
    stop_line: z.number().min(0).nullable().meta({
      description:
        'Index at which the stop line stood on the last day with at least 25 USDC; null without a line or such a day',
    }),
    proof: z
      .object({
        public_id: publicId,
        chain_id: chainId,
        vault: address,
        points: z
          .array(z.object({ day: utcDay, blocks: z.array(count).max(48) }))
          .max(HALL_SERIES_DAYS)
          .meta({ description: 'Blocks whose state the figures were computed from, of the newest days' }),
        points_left: count.meta({ description: 'Earlier days with points that this answer has no room for' }),
      })
      .nullable()
      .meta({ description: 'Only of a mandate whose owner signed public_proof' }),
  })
  .meta({ title: 'HallMandate' })
export type HallMandateView = z.output<typeof hallMandateView>

const paper = z
  .array(
    z.object({
      listing_id: z.string().max(24),
      start: z.literal(100),
      value: z.number().min(0).meta({ description: 'Index of the shadow book; 100 are its 1,000 USDC of paper' }),
      fills: count,
      opened_at: instant,
    }),
  )
  .max(100)
  .nullable()
  .meta({ description: 'Paper results of the house runner, never part of the figures; null for other agents' })

/** What the page of an agent adds to its row, as a pass stores it. */
export const hallDetail = z.object({
  mandates: z.array(hallMandateView).max(HALL_MANDATES_SHOWN),
  mandates_left: count.meta({ description: 'Mandates that are counted and not shown' }),
  series: series.nullable(),
  policy_changes: z
    .array(z.object({ changed_at: instant, direction: policyDirection, items: z.array(policyItemName).max(8) }))
    .max(POLICY_CHANGES_MAX),
})
export type HallDetail = z.output<typeof hallDetail>

/** Figures of the whole platform. */
export const hallProof = z.object({
  mandates_working: count.nullable(),
  calls_refused_on_chain: count.nullable(),
  days_inside_limits: count.nullable(),
  records_verifiable_pct: pct.nullable().meta({ description: 'Mandates that anybody may verify from the chain' }),
})

/** Public reads of the Hall, from the newest snapshot. */
export const hallOperations = {
  readHall: operation({
    summary: 'Read the Hall: agents, their limits and their results, computed from facts',
    description:
      'Ranked agents come first. Ties: more days live, then more trades, then the lower agent_id. By worth_change the low end of the interval counts, and agents without an independent owner come after the others. Null sorts last. docs/method/hall.md has every formula.',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/hall',
    tool: 'hub_hall',
    cacheSec: 10,
    sharedAnswer: true,
    input: z.strictObject({
      window: hallWindow.default('all').meta({ description: 'Days that count for worth, adherence, trades, refusals' }),
      sort: hallSort.default('days_live').meta({ description: 'Figure to sort by' }),
      accepting: z.literal('1').optional().meta({ description: '1 lists only agents that accept mandates' }),
      operator: z.enum(['signal', 'vault']).optional().meta({ description: 'Lists only operators of this kind' }),
      limit: queryInt(1, 100, 50),
      offset: queryInt(0, 1_000_000, 0, 'Rows to skip'),
    }),
    success: {
      200: z.object({
        ...snapshotMembers,
        window: hallWindow,
        sort: hallSort,
        total: count,
        limit: z.int().min(1).max(100),
        offset: count,
        items: z.array(hallRow).max(100),
      }),
    },
  }),
  readHallProof: operation({
    summary: 'Read four live figures of all mandates',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/hall/proof',
    cacheSec: 10,
    sharedAnswer: true,
    input: z.strictObject({}),
    success: { 200: z.object({ ...snapshotMembers, ...hallProof.shape }) },
  }),
  readHallAgent: operation({
    summary: 'Read the record of one agent: its row, every mandate, daily index, paper apart',
    description:
      'Mandates stand without owner, wallet and amount; vault and chain only where the owner signed public_proof.',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/hall/{agent_id}',
    cacheSec: 10,
    sharedAnswer: true,
    input: z.strictObject({ agent_id: agentIdInPath, window: hallWindow.default('all') }),
    success: {
      200: z.object({
        ...snapshotMembers,
        ...rowMembers,
        mandate_counts: rowMembers.mandates.meta({ description: 'The member mandates of its row in the Hall' }),
        ...hallDetail.shape,
        paper,
      }),
    },
    refusals: [common.notFound],
  }),
  readRanks: operation({
    summary: 'Look up where agents stand in the Hall; null for an agent without a row',
    auth: 'service',
    callers: ['mandates'],
    input: z.strictObject({ agent_ids: z.array(accountId).min(1).max(RANKS_MAX) }),
    success: {
      200: z.object({
        ...snapshotMembers,
        ranks: z
          .array(
            z
              .object({
                agent_id: accountId,
                ranked: z.boolean(),
                rank: z.int().min(1).nullable(),
                days_needed: count,
                trades_needed: count,
                days_live: count,
                degraded: z.boolean(),
              })
              .nullable(),
          )
          .max(RANKS_MAX),
      }),
    },
  }),
} as const

/** Jobs of the Hall. */
export const hallJobs = {
  hallSnapshot: job({
    summary: 'Compute the Hall from the facts and store it whole',
    everyMs: 120_000,
    wokenBy: ['rebuildFacts'],
    max: 1_000_000,
    budgetSec: 540,
    dryRun: 'hallDryRun',
  }),
} as const
