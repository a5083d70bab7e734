import { event, operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, instant, utcDay } from '../common.ts'
import { address, chainId, count, mandateState, publicId, usdc } from './fields.ts'

/** Most mandates of which one call asks the facts. */
export const HALL_FACTS_MAX = 100
/** Most mandates that one call lists. */
export const HALL_MANDATES_MAX = 500
/** Most days that one answer has, over all its mandates. */
const DAYS_MAX = 10_000
/** Most points of one day: its closing, and those around the largest flows. */
export const HALL_POINTS_OF_DAY_MAX = 48

/** Which facts of a mandate: those of all days, or of the days from one on. */
const wanted = z.object({
  public_id: publicId,
  from_day: utcDay.nullable().meta({ description: 'First UTC day; null for all days' }),
})

/** A mark that decides a result: the closing of a UTC day, or one directly before or after a flow. */
const hallPoint = z.object({
  at: instant,
  block_number: count,
  worth_usdc: usdc.meta({
    description: 'Worth of the mandate, without USDC that the books have not taken up and without foreign money',
  }),
  paid_in_usdc: usdc.meta({ description: 'Recognised deposits up to the block' }),
  paid_out_usdc: usdc.meta({
    description: 'What left the books to the owner up to the block, with the fees that were taken',
  }),
})

/** What happened on a UTC day. */
const hallDay = z.object({
  day: utcDay,
  trades: count.meta({
    description: 'Executions on the chain, by the time of their block, and filled orders of the agent at the leg',
  }),
  refusals: z.record(z.string().max(60), count).meta({ description: 'Refused attempts by kind' }),
  refusals_on_chain: count.meta({ description: 'Refused attempts that a reverted transaction proves' }),
  violations: count,
  foreign_fills: count.meta({
    description: 'Executions in the account of the leg that are not of the mandate',
  }),
  points: z.array(hallPoint).max(HALL_POINTS_OF_DAY_MAX).meta({ description: 'Oldest first' }),
})

/** A mandate as the Hall counts it. */
export const hallMandate = z.object({
  public_id: publicId,
  agent_id: accountId,
  owner_id: accountId,
  state: mandateState,
  public_proof: z.boolean(),
  chain_id: chainId.nullable(),
  vault: address.nullable().meta({ description: 'Null without a vault on the chain' }),
  hl_leg: z.boolean(),
  principal_usdc: usdc.meta({ description: 'Recognised deposits; the owner taking money out does not lower it' }),
  stop_line_usdc: usdc.meta({ description: 'Worth at which the keeper stops the agent; 0 for none' }),
  opened_at: instant.nullable().meta({ description: 'When the vault was created, by the clock of the chain' }),
  ended_at: instant.nullable().meta({
    description: 'When the mandate stopped or ended, whichever came first; null while it is open',
  }),
  record: z.object({ seq: count, hash: z.string().max(64) }).meta({ description: 'Head of the record' }),
  trades_total: count,
  days: z.array(hallDay).max(DAYS_MAX).meta({ description: 'Days on which something is known, oldest first' }),
})
export type HallMandate = z.output<typeof hallMandate>

/** Operations that tell gallery the facts of mandates. */
export const factOperations = {
  readHallFacts: operation({
    summary: 'Read the facts of mandates from which the Hall is computed',
    description:
      'Signed mandates, in the order of items; unknown ids and drafts are left out. An answer that would be too long is cut: left says from which day on to ask again, for mandates of which days are missing.',
    auth: 'service',
    callers: ['gallery'],
    timeoutMs: 20_000,
    input: z.strictObject({ items: z.array(wanted).min(1).max(HALL_FACTS_MAX) }),
    success: {
      200: z.object({
        mandates: z.array(hallMandate).max(HALL_FACTS_MAX),
        left: z.array(wanted).max(HALL_FACTS_MAX),
      }),
    },
  }),
  listHallMandates: operation({
    summary: 'List all signed mandates, for a rebuild of what gallery keeps of them',
    auth: 'service',
    callers: ['gallery'],
    input: z.strictObject({
      after: publicId.optional().meta({ description: 'Last mandate of the previous page' }),
      limit: z.int().min(1).max(HALL_MANDATES_MAX).default(HALL_MANDATES_MAX),
    }),
    success: {
      200: z.object({
        mandates: z.array(z.object({ public_id: publicId, agent_id: accountId })).max(HALL_MANDATES_MAX),
      }),
    },
  }),
} as const

/** Events about facts. */
export const factEvents = {
  hallFactsChanged: event({
    summary: 'Facts of mandates changed from which the Hall is computed',
    payload: z.object({
      items: z
        .array(
          z.object({
            public_id: publicId,
            agent_id: accountId,
            from_day: utcDay.nullable().meta({ description: 'First UTC day that may differ; null: any day' }),
          }),
        )
        .min(1)
        .max(HALL_MANDATES_MAX),
    }),
  }),
} as const
