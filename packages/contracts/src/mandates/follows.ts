import { operation } from '@svc/contract'
import { z } from 'zod'
import { accountId } from '../common.ts'
import { marketId, mandateState, publicId, usdc } from './fields.ts'

/** A mandate as a follow of signals sizes its orders by it. */
export const followMandate = z.object({
  public_id: publicId,
  state: mandateState,
  owner_id: accountId,
  agent_id: accountId.nullable(),
  markets: z.array(marketId).max(32).meta({ description: 'Markets of the signed terms; empty before the signature' }),
  budget_usdc: usdc,
  per_tx_cap_usdc: usdc,
  daily_cap_usdc: usdc,
  stop_line_usdc: usdc,
  fee_bps: z.int().min(0).max(10_000),
  approval_above_usdc: usdc.nullable().meta({ description: 'Null: nothing waits for the owner' }),
  open_max_usdc: usdc.nullable().meta({
    description: 'Largest opening order of the agent that passes the clauses now and waits for nobody; null: none',
  }),
  may_close: z.boolean().meta({ description: 'Whether the agent may close positions' }),
})
export type FollowMandate = z.output<typeof followMandate>

/** What follows of signals ask about mandates. */
export const followOperations = {
  readFollowMandates: operation({
    summary: 'Read mandates that follow signals: state, parties and what an order may cost now',
    description: 'Unknown ids are left out. The stop line is judged with each order.',
    auth: 'service',
    callers: ['gallery'],
    input: z.strictObject({ public_ids: z.array(publicId).min(1).max(100) }),
    success: { 200: z.object({ mandates: z.array(followMandate).max(100) }) },
  }),
} as const
