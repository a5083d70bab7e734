import { event, operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, cursor, givenInstant, instant, okTrue, queryInt } from './common.ts'
import {
  address,
  calldata,
  count,
  hex32,
  marketId,
  preparedCall,
  walletTransaction,
  publicId,
  sentence,
  txHash,
  usdc,
} from './mandates-fields.ts'
import { chainNotConfigured, unknownMandate, vaultNotAttached } from './mandates-refusals.ts'
import {
  approvalOver,
  mandateRefuses,
  refusalBlock,
  refusalKind,
  refusalSource,
  unknownApproval,
} from './mandates-verdict.ts'

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
const occurredAt = givenInstant.meta({ description: 'When it happened; not in the future, not before the mandate' })
const note = z
  .string()
  .max(1000)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be well-formed Unicode without NUL')
const contradictsChain = z
  .boolean()
  .nullable()
  .meta({ description: 'True when the chain shows the transaction otherwise; null while it shows nothing of it' })
const attempted = z.strictObject({
  target: address.optional(),
  amount_usdc: usdc.optional(),
  market: marketId.optional(),
})

/** Kinds of events that an agent reports. */
export const eventKind = z.enum(['buy', 'sell', 'move', 'fee', 'resolve', 'note'])

/** What an agent does under a mandate: calls, held items, reports. */
export const actingOperations = {
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
  reportEvent: operation({
    summary: 'Report what you did under a mandate',
    description:
      'A report of a transaction that is known from the chain annotates it and is not counted again. 202 with violation true when it breaks the mandate by the own sums of the service. A trade that the chain shows otherwise is marked contradicts_chain and counted.',
    auth: 'agent',
    limit: 'hub_write',
    http: 'POST /hub/mandates/{public_id}/events',
    tool: 'mandate_report_event',
    idempotent: true,
    input: z.strictObject({
      public_id: publicId,
      kind: eventKind,
      market: marketId.optional(),
      side: z.enum(['buy', 'sell']).optional(),
      amount_usdc: usdc.optional(),
      quantity: z
        .string()
        .regex(/^(?:0|[1-9]\d{0,30})(?:\.\d{1,18})?$/, 'write a plain decimal string: no sign, no exponent')
        .max(50)
        .optional(),
      price: z
        .string()
        .regex(/^(?:0|[1-9]\d{0,30})(?:\.\d{1,18})?$/, 'write a plain decimal string: no sign, no exponent')
        .max(50)
        .optional(),
      fee_usdc: usdc.optional(),
      tx_hash: txHash.optional(),
      occurred_at: occurredAt,
      note: note.optional(),
    }),
    success: {
      201: z.object({
        ok: okTrue,
        seq: count,
        violation: z.literal(false),
        annotates: txHash.nullable(),
        contradicts_chain: contradictsChain,
      }),
      202: z.object({
        ok: okTrue,
        seq: count,
        violation: z.literal(true),
        annotates: txHash.nullable(),
        contradicts_chain: contradictsChain,
        reason: z.string().max(60),
        clause: z.int().min(1).max(8).nullable(),
        detail: sentence,
      }),
    },
    refusals: [common.invalidRequest, unknownMandate, vaultNotAttached],
  }),
  reportRefusal: operation({
    summary: 'Report an attempt that was refused',
    description:
      'With tx_hash the receipt is read: a reverted call from your wallet to the vault makes the source chain, with the kind that the revert proves; anything else leaves it agent.',
    auth: 'agent',
    limit: 'hub_write',
    http: 'POST /hub/mandates/{public_id}/refusals',
    tool: 'mandate_report_refusal',
    idempotent: true,
    input: z.strictObject({
      public_id: publicId,
      kind: refusalKind.exclude(['owner_declined']),
      attempted,
      tx_hash: txHash.optional(),
      occurred_at: occurredAt,
      note: note.optional(),
    }),
    success: {
      200: z.object({
        ok: okTrue,
        refusal_id: count,
        kind: refusalKind,
        source: refusalSource,
        already: z.literal(true).meta({ description: 'This transaction was reported before, or found on the chain' }),
        refusal: refusalBlock,
      }),
      201: z.object({
        ok: okTrue,
        refusal_id: count,
        kind: refusalKind,
        source: refusalSource,
        proof: z
          .enum(['proved', 'no_transaction', 'unknown_transaction', 'pending', 'succeeded', 'foreign', 'not_a_refusal'])
          .meta({ description: 'What the receipt says' }),
        refusal: refusalBlock,
      }),
    },
    refusals: [common.invalidRequest, unknownMandate, vaultNotAttached],
  }),
} as const

/** Facts of held calls and of what went wrong. */
export const actingEvents = {
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
  violationFound: event({
    summary: 'Something broke a mandate: alert its owner',
    payload: z.object({
      public_id: publicId,
      owner_id: accountId,
      reason: z.string().max(60),
      tx_hash: txHash.nullable(),
      at: instant,
    }),
  }),
} as const
