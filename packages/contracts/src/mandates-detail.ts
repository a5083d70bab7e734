import { operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, instant } from './common.ts'
import {
  address,
  chainId,
  clause,
  count,
  hex32,
  mandateLimits,
  mandateState,
  publicId,
  sentence,
  stateCause,
  txHash,
  usdc,
} from './mandates-fields.ts'
import { recordHead } from './mandates-record-head.ts'
import { unknownMandate } from './mandates-refusals.ts'

const agentView = z.object({
  agent_id: accountId,
  wallet: address,
  accepted_at: instant.nullable(),
  last_seen_at: instant.nullable().meta({ description: 'For the owner; null when unknown' }),
  channel: z.enum(['http', 'mcp']).nullable().meta({ description: 'For the owner; null when unknown' }),
})

const base = {
  public_id: publicId,
  name: z.string().max(80),
  state: mandateState,
  owner_id: accountId,
  owner_wallet: address,
  created_at: instant,
  changed_at: instant,
  expires_at: instant.nullable().meta({ description: 'When a draft lapses; null once signed' }),
}

/** A mandate as lists and answers of changes give it. */
export const mandateSummary = z
  .object({
    ...base,
    agent: agentView.pick({ agent_id: true, wallet: true, accepted_at: true }).nullable(),
    limits: mandateLimits,
    vault: address.nullable(),
    chain_id: chainId.nullable(),
  })
  .meta({ title: 'MandateSummary' })
export type MandateSummary = z.output<typeof mandateSummary>

const usageView = z
  .object({
    day: z.string().max(10).meta({ description: 'UTC day' }),
    used_usdc: usdc.meta({ description: 'Pulled by calls on that day, chain facts only' }),
    left_usdc: usdc,
    held_usdc: usdc.meta({ description: 'Held by approvals, pending or approved' }),
    resets_at: instant,
  })
  .meta({ title: 'MandateUsage', description: 'Daily cap and its use' })

/** Use of the daily cap, from chain facts. */
export const mandateUsage = usageView
export type MandateUsage = z.output<typeof mandateUsage>

/** Refused attempts of the last seven days, by kind. */
export const refusals7d = z.object({
  total: count,
  by_kind: z.record(z.string().max(40), count),
})

/** One entry of the record, as the detail read shows it. */
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

/** What the chain says of the vault. */
export const chainState = z
  .object({
    chain_id: chainId,
    vault: address,
    factory: address,
    version: z.union([z.literal(1), z.literal(2)]),
    phase: z.enum(['working', 'paused', 'stopped', 'ended', 'closed']).meta({ description: "The contract's phase()" }),
    agent: address.nullable().meta({ description: 'Who may act now; null while nobody may' }),
    principal_usdc: usdc,
    balance_usdc: usdc.meta({ description: 'Recognised USDC in the vault, free of fee' }),
    withdrawn_usdc: usdc,
    stop_reason: z.enum(['owner', 'stop_line']).nullable(),
    stopped_at: instant.nullable(),
    settled: z.boolean(),
    as_of_block: count.nullable().meta({ description: 'Block of the newest fact' }),
    open_until_stopped: z.boolean().meta({
      description: 'True while the vault still lets the agent act although the mandate is stopped in the record',
    }),
  })
  .meta({ title: 'ChainState' })

/** Whether the owner can withdraw. */
export const withdrawLock = z
  .object({
    locked: z.boolean(),
    reason: z.enum(['open', 'settle_grace']).nullable(),
    until: instant.nullable(),
    detail: sentence.nullable(),
  })
  .meta({ title: 'WithdrawLock' })

const step = z.object({
  key: z.enum(['drafted', 'agent_designated', 'agent_accepted', 'terms_signed', 'vault_created', 'funded', 'closed']),
  title: z.string().max(80),
  done: z.boolean(),
  at: instant.nullable(),
})

/** Everything about one mandate. */
export const mandateDetail = z
  .object({
    ...base,
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
        .meta({ description: 'Share of the time from signing to the end' }),
      seconds_left: count.nullable(),
      state_cause: stateCause.nullable(),
      state_since: instant,
    }),
    steps: z.array(step).max(7),
    clauses: z.array(clause).max(8).meta({ description: 'Empty while no agent is designated' }),
    usage: usageView.nullable().meta({ description: 'Null while there is no vault' }),
    refusals_7d: refusals7d,
    reports_contradicting_chain: count.meta({
      description: 'Reports of the agent that a transaction bought or sold, which the chain shows otherwise',
    }),
    fees: z.object({
      fee_bps: z.int().min(0).max(10_000),
      recipient: address.nullable(),
      accrued_usdc: usdc.nullable().meta({ description: 'Null while there is no vault' }),
      owed_usdc: usdc.nullable(),
      claimed_usdc: usdc.nullable(),
    }),
    events: z.array(recordLine).max(20).meta({ description: 'Newest entries of the record, newest first' }),
    lock: withdrawLock.nullable(),
    chain_state: chainState.nullable().meta({ description: 'Null while there is no vault' }),
    terms_hash: hex32.nullable().meta({ description: 'Of the terms that were signed' }),
    stopped_in_record_at: instant.nullable(),
    record_head: recordHead,
  })
  .meta({ title: 'MandateDetail' })
export type MandateDetail = z.output<typeof mandateDetail>

export const detailOperations = {
  readMandate: operation({
    summary: 'Read a mandate',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}',
    tool: 'mandate_read',
    input: z.strictObject({ public_id: publicId }),
    success: { 200: mandateDetail },
    refusals: [unknownMandate],
  }),
} as const
