import { job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, exchange, instant, okTrue, symbol, tokenId } from '../common.ts'
import { openAlerts } from './crisis.ts'
import { gpa, letter, lifecycle, outlook } from './board.ts'
import { miningRefusals } from '../mining/contract.ts'
import { tiers } from '../subscriptions/tiers.ts'

/** Targets that an account can have at most, whatever its tier. */
export const TARGETS_MAX = tiers[2].targets

/** A scan is late when the newest one is older than this. */
export const SCAN_LATE_MS = 180_000

export const targetLimit = refusal('target_limit', {
  status: 409,
  title: 'Too many targets',
  meaning: 'The account watches as many pairs as its tier allows.',
  fix: 'Remove one with POST /agent/targets/remove, or subscribe to a higher tier.',
  details: z.object({ limit: z.int().min(0), used: z.int().min(0) }),
})

const captures = z
  .int()
  .min(0)
  .max(100)
  .meta({ description: 'Captures of 60 seconds of trades and books a UTC day; above 0 needs Tier 2', example: 10 })
const targetStatus = z.enum(['active', 'paused']).meta({ description: 'paused: beyond what the tier allows now' })
const count = z.int().min(0).max(1_000_000)
const figure = z.number().nullable()

const target = z.object({
  exchange,
  symbol,
  token_id: tokenId,
  status: targetStatus,
  microburst_hf_captures: captures,
  added_at: instant,
  scan: z.object({
    status: z
      .enum(['pending', 'ok', 'failing', 'late', 'paused'])
      .meta({ description: 'failing: the newest scan gave no usable book; late: it is older than 3 minutes' }),
    at: instant.nullable().meta({ description: 'Minute of the newest scan' }),
    error: z.string().max(32).nullable().meta({ description: 'Class of the failure of the newest scan' }),
    mid: figure,
    spread_bps: figure,
    depth_2pct_usd: figure,
    depth_is_lower_bound: z.boolean().meta({ description: 'The book that was read ended before 2 % of the mid' }),
    ok_1h: count.meta({ description: 'Good scans of the last 60 minutes' }),
  }),
  grade: letter.nullable(),
  gpa: gpa.nullable(),
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
  alerts: openAlerts.meta({ description: 'Open crisis episodes of the pair; null while unknown' }),
})

/** Priority targets: pairs that are scanned every minute for an account. */
export const targetOperations = {
  addTarget: operation({
    summary: 'Add a pair to your priority targets',
    description:
      'It is scanned within a minute, and then every minute. Repeating it changes nothing but microburst_hf_captures, where given.',
    auth: 'account',
    tier: 1,
    http: 'POST /agent/targets/add',
    tool: 'targets_add',
    idempotent: true,
    input: z.strictObject({ exchange, symbol, microburst_hf_captures: captures.optional() }),
    success: {
      200: z.object({
        ok: okTrue,
        exchange,
        symbol,
        priority_pool: z.boolean().meta({ description: 'Whether it is scanned every minute now' }),
        message: z.string().max(300),
        next_steps: z.array(z.string().max(200)).max(10),
      }),
    },
    refusals: [common.tierRequired, miningRefusals.unknownPair, targetLimit],
  }),
  listTargets: operation({
    summary: 'List your priority targets with their newest scan, grades and outlook',
    auth: 'account',
    tier: 1,
    http: 'GET /agent/targets',
    tool: 'targets',
    input: z.strictObject({}),
    success: {
      200: z.object({
        limit: count.meta({ description: 'Targets that your tier includes' }),
        used: count.meta({ description: 'Active ones' }),
        targets: z.array(target).max(1_000),
      }),
    },
  }),
  removeTarget: operation({
    summary: 'Remove a pair from your priority targets',
    auth: 'account',
    tier: 1,
    http: 'POST /agent/targets/remove',
    tool: 'targets_remove',
    idempotent: true,
    input: z.strictObject({ exchange, symbol }),
    success: {
      200: z.object({
        ok: okTrue,
        exchange,
        symbol,
        removed: z.boolean().meta({ description: 'False when it was no target before' }),
      }),
    },
    refusals: [miningRefusals.unknownPair],
  }),
  countTargets: operation({
    summary: 'Count the active targets of an account',
    auth: 'service',
    callers: ['subscriptions'],
    input: z.strictObject({ account_id: accountId }),
    success: { 200: z.object({ active: count }) },
  }),
} as const

/** Jobs behind targets. Each looks at the clock for what is due. */
export const targetJobs = {
  scanTargets: job({
    summary: 'Scan every target once a minute, each at its own second',
    everyMs: 2_000,
    wokenBy: ['addTarget', 'subscriptions.tierChanged'],
    max: 2_000,
    budgetSec: 55,
  }),
  captureBursts: job({
    summary: 'Capture trades and books of targets for a minute and find the microbursts in them',
    everyMs: 5_000,
    max: 50,
    budgetSec: 30,
  }),
  keepScans: job({
    summary: 'Make partitions of scans ahead and drop old ones, and give each active target its turn',
    everyMs: 30_000,
    wokenBy: ['addTarget'],
    max: 24,
    budgetSec: 60,
  }),
} as const
