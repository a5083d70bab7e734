import { event, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, cursor, instant, okTrue, queryInt } from '../common.ts'
import {
  address,
  calldata,
  hex32,
  marketId,
  preparedCall,
  publicId,
  sentence,
  txHash,
  usdc,
  walletTransaction,
} from './fields.ts'
import { approvalOver, chainNotConfigured, unknownApproval, unknownMandate, vaultNotAttached } from './refusals.ts'
import { refusalBlock } from './verdict.ts'

const approvalId = z
  .string()
  .regex(/^apr_[0-9a-f]{32}$/, 'use the approval_id exactly as the API returns it')
  .max(36)
  .meta({ description: 'Id of a held item', example: 'apr_0123456789abcdef0123456789abcdef' })

const approvalStatus = z
  .enum(['pending', 'approved', 'declined', 'used', 'expired'])
  .meta({ description: 'used: matched with its Executed on the chain' })

/** A call that waits for the owner, or was decided. */
export const approvalItem = z
  .object({
    approval_id: approvalId,
    public_id: publicId,
    status: approvalStatus,
    target: address,
    data: calldata,
    amount_usdc: usdc,
    call_hash: hex32.meta({
      description: 'SHA-256 over mandate, target, calldata and amount: what the decision is bound to',
    }),
    reason: sentence.nullable().meta({ description: 'owner_declined, or why it is over; null while open' }),
    requested_at: instant,
    expires_at: instant.meta({ description: 'When it lapses, unless used; starts anew with the approval' }),
    decided_at: instant.nullable(),
    used_tx_hash: txHash.nullable(),
  })
  .meta({ title: 'Approval' })
export type ApprovalItem = z.output<typeof approvalItem>

const execution = {
  target: address,
  data: calldata,
}

export const mandateRefuses = refusal('hub_mandate_refuses', {
  status: 409,
  title: 'The mandate refuses',
  meaning:
    'A clause of the mandate, its state, or a decision of the owner refuses the call; refusal says which and why.',
  fix: 'Do what refusal.fix says; refusal.max_passing_amount_usdc is the most that passes now.',
  details: z.object({ refusal: refusalBlock }),
})

/** Calls of an agent, and those that are held for the owner. */
export const approvalOperations = {
  prepareExecution: operation({
    summary: 'Get the call that executes under the mandate, or learn why not',
    description:
      'Judges the call by all eight clauses. Above the approval amount it is held for the owner (202) and answered with calldata once approved, ' +
      'until it is seen on the chain or the approval ends. The same call again is the same held item. A refusal is in the record.',
    auth: 'agent',
    scope: 'write',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/execute-call',
    tool: 'mandate_execute_call',
    input: z.strictObject({
      public_id: publicId,
      ...execution,
      approve_amount_usdc: usdc.meta({ description: 'Most that the target may take' }),
      check: z.enum(['0', '1']).default('0').meta({
        description: '1 runs the call on the newest block without sending it; judgement.warning says when it reverts',
      }),
    }),
    success: {
      200: z.object({
        public_id: publicId,
        call: preparedCall,
        tx: walletTransaction,
        approval_id: approvalId.nullable().meta({ description: 'The approval that the call uses up' }),
        expires_at: instant.nullable().meta({ description: 'When that approval ends' }),
        judgement: refusalBlock,
      }),
      202: z.object({
        code: z.literal('pending_approval'),
        public_id: publicId,
        approval: approvalItem,
        judgement: refusalBlock,
      }),
    },
    refusals: [unknownMandate, vaultNotAttached, mandateRefuses, common.rateLimited],
  }),
  simulateExecution: operation({
    summary: 'Judge a call without any effect',
    description:
      'The same judgement as execute-call. With target and data the call is also run by the chain without being sent; with a market alone, its first listed call stands for it.',
    auth: 'account',
    scope: 'read',
    limit: 'hub_read',
    http: 'POST /hub/mandates/{public_id}/simulate',
    tool: 'mandate_simulate',
    input: z.strictObject({
      public_id: publicId,
      target: address.optional(),
      data: calldata.optional(),
      market: marketId.optional(),
      side: z.enum(['buy', 'sell']).optional(),
      amount_usdc: usdc,
    }),
    success: {
      200: z.object({
        public_id: publicId,
        passes: z.boolean().meta({ description: 'Neither the mandate nor the chain refuses' }),
        judgement: refusalBlock,
        chain: z
          .object({
            ok: z.boolean(),
            error: z.string().max(80).nullable().meta({ description: 'Custom error that it reverts with' }),
            target_error: z.string().max(80).nullable().meta({ description: "The target's own error" }),
          })
          .nullable()
          .meta({ description: 'Null when no call was given' }),
      }),
    },
    refusals: [common.invalidRequest, unknownMandate, vaultNotAttached, chainNotConfigured],
  }),
  listApprovals: operation({
    summary: 'List what is held for the owner, and what was decided',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/approvals',
    tool: 'mandate_approvals',
    input: z.strictObject({
      public_id: publicId,
      status: approvalStatus.optional(),
      approval_id: approvalId.optional(),
      limit: queryInt(1, 100, 50),
      cursor: cursor.optional(),
    }),
    success: { 200: z.object({ items: z.array(approvalItem).max(100), next_cursor: cursor.nullable() }) },
    refusals: [unknownMandate],
  }),
  decideApproval: operation({
    summary: 'Approve or decline a held call',
    description:
      'The same decision again answers the same. A decline is recorded as refused with reason owner_declined.',
    auth: 'owner',
    limit: 'hub_exit',
    http: 'POST /hub/mandates/{public_id}/approvals/{approval_id}',
    idempotent: true,
    input: z.strictObject({
      public_id: publicId,
      approval_id: approvalId,
      decision: z.enum(['approve', 'decline']),
    }),
    success: { 200: z.object({ ok: okTrue, approval: approvalItem }) },
    refusals: [unknownMandate, unknownApproval, approvalOver],
  }),
} as const

/** Facts of held calls. */
export const approvalEvents = {
  approvalRequested: event({
    summary: 'A call waits for the owner',
    payload: z.object({
      public_id: publicId,
      owner_id: accountId,
      approval_id: approvalId,
      amount_usdc: usdc,
      at: instant,
    }),
  }),
  approvalDecided: event({
    summary: 'The owner decided a held call',
    payload: z.object({
      public_id: publicId,
      owner_id: accountId,
      approval_id: approvalId,
      decision: z.enum(['approve', 'decline']),
      at: instant,
    }),
  }),
} as const
