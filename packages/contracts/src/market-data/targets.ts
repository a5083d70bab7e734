import { job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, exchange, instant, okTrue, symbol, tokenId } from '../common.ts'
import { alertMembers } from './crisis.ts'
import { gpa, letter, lifecycle, outlook, scanPlaces } from './board.ts'
import { miningRefusals } from '../mining/refusals.ts'
import { tiers } from '../subscriptions/tiers.ts'

/** Most targets of an account, in the highest tier. */
export const TARGETS_MAX = tiers[2].targets

/** Half widths of the bands in which the depth of a target is measured, in percent of the mid. */
export const BAND_PCTS = [0.1, 0.5, 1, 2] as const

/** A target is late if its newest scan is older than this. */
export const SCAN_LATE_MS = 180_000

export const targetLimit = refusal('target_limit', {
  status: 409,
  title: 'Too many targets',
  meaning: 'The account has as many targets as its tier allows.',
  fix: 'Remove a target with POST /agent/targets/remove, or subscribe to a higher tier.',
  details: z.object({ limit: z.int().min(0), used: z.int().min(0) }),
})

export const venueFull = refusal('venue_full', {
  status: 409,
  title: 'No free scans at this exchange',
  meaning: 'The request limit of the exchange carries no scan of a further pair beside the reads for the board.',
  fix: 'Add a pair that is scanned already, or a pair of an exchange whose scan_pairs is below its scan_capacity in GET /coverage, or try again at `retry_at`.',
  details: z.object({
    exchange,
    scan_capacity: z.int().min(0),
    scan_pairs: z.int().min(0),
    retry_at: instant.nullable().meta({ description: 'When a place becomes free; null if no time is foreseeable' }),
    reason: z.enum(['delisting_announced', 'not_foreseeable']).meta({
      description:
        '`delisting_announced`: a scanned pair ends at `retry_at`. `not_foreseeable`: a place becomes free when other accounts remove their targets',
    }),
  }),
})

const captures = z.int().min(0).max(100).meta({
  description: 'Captures of 60 seconds of trades and books per UTC day; a value above 0 needs Tier 2',
  example: 10,
})
const targetStatus = z.enum(['active', 'paused']).meta({
  description:
    '`paused`: the target exceeds the number that the tier allows, or waits for a place at an exchange whose scan_pairs equals its scan_capacity and then resumes by itself',
})
const count = z.int().min(0).max(1_000_000)
const figure = z.number().nullable()

const target = z
  .object({
    exchange,
    symbol,
    token_id: tokenId,
    status: targetStatus,
    microburst_hf_captures: captures,
    added_at: instant,
    scan: z.object({
      status: z.enum(['pending', 'ok', 'failing', 'late', 'paused']).meta({
        description:
          '`pending`: not scanned yet. `failing`: the newest scan had no usable order book. `late`: the newest scan is older than 3 minutes',
      }),
      reason: z
        .enum(['halted', 'delisted', 'exchange_silent'])
        .nullable()
        .optional()
        .meta({ description: 'Why there is nothing to scan now; null while the pair trades and its exchange answers' }),
      at: instant.nullable().meta({ description: 'Minute of the newest scan; null before the first' }),
      error: z
        .string()
        .max(32)
        .nullable()
        .meta({ description: 'Class of failure of the newest scan; null if it succeeded' }),
      mid: figure,
      spread_bps: figure,
      depth_2pct_usd: figure.meta({ description: 'Newest within 10 minutes, twice the weaker side' }),
      depth_is_lower_bound: z.boolean().meta({
        description: 'True if the order book ended before 2 % of the mid, so that the real depth may be larger',
      }),
      depth_at: instant.nullable().optional().meta({ description: 'Minute of the scan with this depth' }),
      depth_bands: z
        .array(
          z.object({ band_pct: z.number(), bid_usd: z.number(), ask_usd: z.number(), is_lower_bound: z.boolean() }),
        )
        .max(BAND_PCTS.length)
        .optional()
        .meta({ description: 'Depth of that scan within percents of the mid, by side' }),
      ok_1h: count.meta({ description: 'Number of good scans in the last 60 minutes' }),
    }),
    grade: letter.nullable(),
    gpa: gpa.nullable(),
    gpa_is_lower_bound: z.boolean().meta({ description: 'True if a deeper order book could only raise `gpa`' }),
    grades: z
      .object({
        spread: letter.nullable(),
        depth: letter.nullable(),
        volume: letter.nullable(),
        stability: letter.nullable(),
      })
      .nullable()
      .meta({ description: 'Null before the first board' }),
    lifecycle: lifecycle.nullable(),
    outlook: outlook.nullable(),
    ...alertMembers,
  })
  .meta({ title: 'Target' })

/** Targets of an account with their newest scan, their grades and their outlook. */
export const targetsOfAccount = z.object({
  used: count.meta({ description: 'Number of active targets' }),
  targets: z.array(target).max(1_000),
  exchanges: z
    .array(z.object({ exchange, ...scanPlaces }))
    .max(200)
    .meta({ description: 'Exchanges of the targets, and how many scans each carries' }),
})

export type TargetsOfAccount = z.output<typeof targetsOfAccount>

/** Priority targets: pairs that an account watches and that are scanned every minute. */
export const targetOperations = {
  addTarget: operation({
    summary: 'Add a pair to your priority targets, which are scanned every minute',
    description:
      'The first scan follows within a minute. Adding a target again changes only `microburst_hf_captures`, if it is present. A pair that another account watches already is accepted even when its exchange is full, because it is scanned once for all.',
    auth: 'account',
    tier: 1,
    http: 'POST /agent/targets/add',
    tool: 'targets_add',
    toolTitle: 'Add a priority target',
    idempotent: true,
    input: z.strictObject({ exchange, symbol, microburst_hf_captures: captures.optional() }),
    success: {
      200: z.object({
        ok: okTrue,
        exchange,
        symbol,
        priority_pool: z.boolean().meta({ description: 'True if the pair is now scanned every minute' }),
        message: z.string().max(300),
        next_steps: z.array(z.string().max(200)).max(10),
      }),
    },
    refusals: [common.tierRequired, miningRefusals.unknownPair, targetLimit, venueFull],
  }),
  listTargets: operation({
    summary: 'List your priority targets with their newest scan, grades and outlook',
    auth: 'account',
    tier: 1,
    http: 'GET /agent/targets',
    tool: 'targets',
    toolTitle: 'Your priority targets',
    input: z.strictObject({}),
    success: {
      200: z.object({
        limit: count.meta({ description: 'Number of targets that your tier allows' }),
        ...targetsOfAccount.shape,
      }),
    },
  }),
  removeTarget: operation({
    summary: 'Remove a pair from your priority targets',
    auth: 'account',
    tier: 1,
    http: 'POST /agent/targets/remove',
    tool: 'targets_remove',
    toolTitle: 'Remove a priority target',
    idempotent: true,
    input: z.strictObject({ exchange, symbol }),
    success: {
      200: z.object({
        ok: okTrue,
        exchange,
        symbol,
        removed: z.boolean().meta({ description: 'False if the pair was not a target' }),
      }),
    },
    refusals: [miningRefusals.unknownPair],
  }),
  readTargets: operation({
    summary: 'List the targets of an account for another service',
    auth: 'service',
    callers: ['research-reports'],
    input: z.strictObject({ account_id: accountId }),
    success: { 200: targetsOfAccount },
  }),
  countTargets: operation({
    summary: 'Count the active targets of an account for another service',
    auth: 'service',
    callers: ['subscriptions'],
    input: z.strictObject({ account_id: accountId }),
    success: { 200: z.object({ active: count }) },
  }),
} as const

/** Jobs that scan targets and keep their scans. */
export const targetJobs = {
  scanTargets: job({
    summary: 'Scan every target once a minute, each in a fixed second of the minute',
    shared: true,
    everyMs: 15_000,
    wokenBy: ['addTarget', 'subscriptions.tierChanged'],
    max: 2_000,
    budgetSec: 55,
  }),
  captureBursts: job({
    summary: 'Capture trades and books of targets for a minute and find the microbursts in them',
    shared: true,
    everyMs: 60_000,
    wokenBy: ['scanTargets'],
    max: 50,
    budgetSec: 30,
  }),
  keepScans: job({
    summary:
      'Create partitions of scans ahead, drop old ones, add missing scan turns of active targets, and resume targets that waited for a place',
    everyMs: 60_000,
    wokenBy: ['addTarget'],
    max: 24,
    budgetSec: 60,
  }),
} as const
