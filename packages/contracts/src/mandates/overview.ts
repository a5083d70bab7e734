import { operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, cursor, instant, queryInt, strangersText } from '../common.ts'
import { approvalItem } from './approvals.ts'
import { address, clause, count, hex32, mandateState, publicId, stateCause, txHash, usdc } from './fields.ts'
import { mandateLimits } from './limit-schemas.ts'
import { agentView, chainState, legOfMandate, mandateBase, mandateSummary, withdrawLock } from './mandate.ts'
import { recordHead, refusals7d } from './record.ts'
import { unknownMandate } from './refusals.ts'
import { mandateUsage } from './usage.ts'

/** One entry of the record in the details of a mandate. */
export const recordLine = z
  .object({
    seq: count,
    at: instant,
    kind: z.string().max(40),
    source: z.string().max(20),
    tx_hash: txHash.nullable(),
    body: z.record(z.string().max(100), z.unknown()),
  })
  .meta({ title: 'RecordLine' })

const step = z.object({
  key: z.enum(['drafted', 'agent_designated', 'agent_accepted', 'terms_signed', 'vault_created', 'funded', 'closed']),
  title: z.string().max(80),
  done: z.boolean(),
  at: instant.nullable(),
})

/** Everything about one mandate. */
export const mandateDetail = z
  .object({
    ...mandateBase,
    agent: agentView.nullable(),
    limits: mandateLimits,
    progress: z.object({
      steps_done: count,
      steps_total: count,
      elapsed_bps: z
        .int()
        .min(0)
        .max(10_000)
        .nullable()
        .meta({ description: 'Elapsed share of the time from signing to ends_at' }),
      seconds_left: count.nullable(),
      state_cause: stateCause.nullable(),
      state_since: instant,
    }),
    steps: z.array(step).max(7),
    clauses: z.array(clause).max(8).meta({ description: 'Empty without a designated agent' }),
    usage: mandateUsage.nullable().meta({ description: 'Null without a vault' }),
    leg: legOfMandate.nullable().meta({ description: 'Null while no key was proposed for a leg' }),
    refusals_7d: refusals7d,
    reports_contradicting_chain: count.meta({
      description: 'Number of trades reported by the agent that the chain contradicts',
    }),
    fees: z.object({
      fee_bps: z.int().min(0).max(10_000),
      recipient: address.nullable(),
      accrued_usdc: usdc.nullable().meta({ description: 'Null without a vault' }),
      owed_usdc: usdc.nullable(),
      claimed_usdc: usdc.nullable(),
    }),
    events: z.array(recordLine).max(20).meta({ description: 'Newest entries of the record, newest first; at most 20' }),
    lock: withdrawLock.nullable(),
    chain_state: chainState.nullable().meta({ description: 'Null without a vault' }),
    terms_hash: hex32.nullable().meta({ description: 'Hash of the signed terms; null before the signature' }),
    stopped_in_record_at: instant.nullable(),
    record_head: recordHead,
  })
  .meta({ title: 'MandateDetail' })
export type MandateDetail = z.output<typeof mandateDetail>

/** A mandate in one line. */
export const mandateBrief = z.object({
  public_id: publicId,
  name: strangersText(80),
  state: mandateState,
  accepted: z.boolean().meta({ description: 'Whether the agent has confirmed the mandate' }),
  changed_at: instant,
})

/** Operations that read mandates. */
export const overviewOperations = {
  listMandates: operation({
    summary: 'List the mandates that you own or that name you as their agent',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/mandates',
    tool: 'mandate_list',
    toolTitle: 'Your mandates',
    input: z.strictObject({
      state: mandateState.optional().meta({ description: 'Only mandates in this state' }),
      limit: queryInt(1, 100, 50),
      cursor: cursor.optional(),
    }),
    success: { 200: z.object({ items: z.array(mandateSummary).max(100), next_cursor: cursor.nullable() }) },
  }),
  readMandate: operation({
    summary: 'Read all details of one mandate, as its owner or agent',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}',
    tool: 'mandate_read',
    toolTitle: 'Read a mandate',
    input: z.strictObject({ public_id: publicId }),
    success: { 200: mandateDetail },
    refusals: [unknownMandate],
  }),
  readLive: operation({
    summary: 'Read the figures of a working mandate that change often, for polling',
    description: 'Poll every 10 to 20 seconds. The answer comes from stored data, without a call to the chain.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/live',
    tool: 'mandate_live',
    toolTitle: 'Live figures of a mandate',
    input: z.strictObject({ public_id: publicId }),
    success: {
      200: z.object({
        public_id: publicId,
        state: mandateState,
        usage: mandateUsage.nullable(),
        leg: legOfMandate.nullable(),
        refusals_7d: refusals7d,
        worth: z
          .object({ at: instant, worth_usdc: usdc, block_number: count })
          .nullable()
          .meta({ description: 'Newest stored mark; null before the first mark' }),
        approvals_waiting: z.array(approvalItem).max(100),
        agent: z
          .object({ last_seen_at: instant.nullable(), channel: z.enum(['http', 'mcp']).nullable() })
          .nullable()
          .meta({ description: 'Activity of the agent; shown to the owner only, null if unknown' }),
        record_seq: count,
        as_of: instant,
      }),
    },
    refusals: [unknownMandate],
  }),
} as const

/** How far the mandates of an account are. */
const standing = z.enum(['none', 'draft', 'signed']).meta({
  description:
    'signed: the account owns a signed or working mandate, or is the agent of one; draft: it owns a draft alone; none: neither',
})
export type Standing = z.output<typeof standing>

/** Operations that tell other services about the mandates of a party. */
export const partyOperations = {
  listMandatesOf: operation({
    summary: 'List the newest mandates of an owner or agent for identity',
    auth: 'service',
    callers: ['identity'],
    input: z.strictObject({ account_id: accountId, kind: z.enum(['agent', 'owner']) }),
    success: { 200: z.object({ items: z.array(mandateBrief).max(50) }) },
  }),
  readStanding: operation({
    summary: 'Read how far the mandates of an account are, for the gas drip',
    auth: 'service',
    callers: ['keeper'],
    input: z.strictObject({ account_id: accountId }),
    success: { 200: z.object({ standing }) },
  }),
}
