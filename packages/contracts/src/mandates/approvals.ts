import { event, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { callArguments } from './limits.ts'
import { accountId, common, cursor, instant, okTrue, queryInt, dryRun, ranDry } from '../common.ts'
import {
  address,
  calldata,
  hex32,
  marketId,
  preparedCall,
  publicId,
  sentence,
  signedUsdc,
  txHash,
  usdc,
  walletTransaction,
} from './fields.ts'
import { approvalOver, unknownApproval, unknownMandate, vaultNotAttached } from './refusals.ts'
import { refusalBlock } from './verdict.ts'

const approvalId = z
  .string()
  .regex(/^apr_[0-9a-f]{32}$/, 'use the approval_id exactly as the API returns it')
  .max(36)
  .meta({ description: 'Id of a held call', example: 'apr_0123456789abcdef0123456789abcdef' })

const approvalStatus = z
  .enum(['pending', 'approved', 'declined', 'used', 'expired'])
  .meta({ description: 'used: matched with its Executed event on the chain, or used by an order of the leg' })

/** A positive size or price of the venue. */
export const decimalText = z
  .string()
  .max(50)
  .regex(/^(?:0|[1-9]\d{0,30})(?:\.\d{1,18})?$/, 'write a plain decimal string: no sign, no exponent')
export const legOrderSide = z.enum(['buy', 'sell'])

/** An order of a leg as its agent requested it. */
export const legOrderRequest = z
  .object({
    market: marketId,
    side: legOrderSide,
    amount_usdc: usdc.nullable().meta({ description: 'Null if size is given' }),
    size: decimalText.nullable().meta({ description: 'Null if amount_usdc is given' }),
    reduce_only: z.boolean(),
    max_slippage: decimalText.nullable(),
  })
  .meta({ title: 'LegOrderRequest' })
export type LegOrderRequest = z.output<typeof legOrderRequest>

const quote = z
  .object({
    gets: usdc.meta({ description: 'Units of a purchase, USDC of a sale' }),
    effect_usdc: signedUsdc.meta({ description: 'Change of the worth' }),
  })
  .nullable()
  .optional()
  .meta({ description: 'At the present price, if the owner sent approval_id; null: unknown' })

/** A call or an order of the leg that waits for the owner's decision, or was decided. */
export const approvalItem = z
  .object({
    approval_id: approvalId,
    public_id: publicId,
    status: approvalStatus,
    kind: z.enum(['call', 'leg_order']),
    target: address.meta({ description: 'The zero address for an order of the leg' }),
    data: calldata.meta({ description: '0x for an order of the leg' }),
    order: legOrderRequest.nullable().meta({ description: 'The order of the leg; null for a call' }),
    amount_usdc: usdc.meta({ description: 'Of an order of the leg: size times reference price when it was requested' }),
    call_hash: hex32.meta({
      description:
        'SHA-256 over mandate, target, calldata and amount, or over mandate and the members of order; the decision is bound to it',
    }),
    judgement: refusalBlock.nullable().meta({
      description: 'Verdict of each clause when the item was requested; null for items of before this was kept',
    }),
    reason: sentence.nullable().meta({ description: 'owner_declined, executed or expired; null while open' }),
    requested_at: instant,
    expires_at: instant.meta({ description: 'When the item expires unless used; an approval restarts the period' }),
    decided_at: instant.nullable(),
    used_tx_hash: txHash.nullable(),
    quote,
  })
  .meta({ title: 'Approval' })
export type ApprovalItem = z.output<typeof approvalItem>

/** Calls of a market that an agent may name. */
export const VENUE_ACTIONS = ['buy', 'sell', 'redeem'] as const
export type VenueAction = (typeof VENUE_ACTIONS)[number]

const meaning = z
  .string()
  .max(300)
  .optional()
  .meta({ description: 'What the call does, with its worst price; absent if it cannot be read' })
const optionalArguments = z.object(callArguments).partial().shape

export const mandateRefuses = refusal('hub_mandate_refuses', {
  status: 409,
  title: 'The mandate refuses the call',
  meaning: 'A clause of the mandate, its state or a decision of the owner refuses the call; refusal names the cause.',
  fix: 'Follow refusal.fix; refusal.max_passing_amount_usdc is the largest amount that passes now.',
  details: z.object({ refusal: refusalBlock }),
})

/** Calls of an agent, and the calls held for the owner. */
export const approvalOperations = {
  prepareExecution: operation({
    summary: 'Get the call that an agent sends to execute under a mandate, or the clause that refuses it',
    description:
      'Checks the call against all eight clauses. A call above the approval amount is held for the owner (202); once approved, the same request returns ' +
      'the calldata until the call is executed or the approval expires. Repeating a request returns the same held item. A refusal is added to the record.',
    auth: 'agent',
    scope: 'write',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/execute-call',
    tool: 'mandate_execute_call',
    toolTitle: 'Get a call to execute',
    mayLose: 'Nothing yet: the call takes at most approve_amount_usdc once your wallet sends it.',
    effect: 'write',
    input: z.strictObject({
      public_id: publicId,
      target: address.optional().meta({ description: 'Contract to call, with data' }),
      data: calldata.optional().meta({ description: 'Calldata, with target' }),
      market: marketId
        .optional()
        .meta({ description: 'In place of target and data: a market with calls, with action' }),
      action: z.enum(VENUE_ACTIONS).optional().meta({ description: 'A call of the market, with its parameters' }),
      ...optionalArguments,
      approve_amount_usdc: usdc.meta({ description: 'Most USDC that the target may take' }),
      check: z.enum(['0', '1']).default('0').meta({
        description:
          '1 also runs the call on the newest block without sending it; judgement.warning is set if it reverts',
      }),
    }),
    success: {
      200: z.object({
        public_id: publicId,
        meaning,
        call: preparedCall,
        tx: walletTransaction,
        approval_id: approvalId.nullable().meta({ description: 'Approval that the call uses; null if it needs none' }),
        expires_at: instant.nullable().meta({ description: 'When that approval expires; null without one' }),
        judgement: refusalBlock,
      }),
      202: z.object({
        ok: okTrue,
        code: z.literal('pending_approval'),
        public_id: publicId,
        meaning,
        approval: approvalItem,
        judgement: refusalBlock,
      }),
    },
    refusals: [common.invalidRequest, unknownMandate, vaultNotAttached, mandateRefuses, common.rateLimited],
  }),
  listApprovals: operation({
    summary: 'List the calls and orders of the leg of a mandate that wait for the owner or were decided',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/approvals',
    tool: 'mandate_approvals',
    toolTitle: 'Held calls and decisions',
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
    summary: 'Approve or decline a held call or order of the leg as the owner of the mandate',
    description:
      'Repeating the same decision returns the same answer. What is declined is recorded as refused with reason owner_declined. The approval of an order covers at most 2 % above its amount_usdc.',
    auth: 'owner',
    limit: 'hub_exit',
    http: 'POST /hub/mandates/{public_id}/approvals/{approval_id}',
    effect: 'money',
    idempotent: true,
    input: z.strictObject({
      public_id: publicId,
      approval_id: approvalId,
      decision: z.enum(['approve', 'decline']),
      dry_run: dryRun,
    }),
    success: { 200: z.object({ ok: okTrue, dry_run: ranDry, approval: approvalItem }) },
    refusals: [unknownMandate, unknownApproval, approvalOver],
  }),
} as const

/** Facts of held calls. */
export const approvalEvents = {
  approvalRequested: event({
    summary: 'A call was held for the owner',
    payload: z.object({
      public_id: publicId,
      owner_id: accountId,
      approval_id: approvalId,
      amount_usdc: usdc,
      at: instant,
    }),
  }),
  approvalDecided: event({
    summary: 'The owner approved or declined a held call',
    payload: z.object({
      public_id: publicId,
      owner_id: accountId,
      approval_id: approvalId,
      decision: z.enum(['approve', 'decline']),
      at: instant,
    }),
  }),
} as const
