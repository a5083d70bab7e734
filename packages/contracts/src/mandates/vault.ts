import { event, job, operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, instant, okTrue } from '../common.ts'
import {
  address,
  calldata,
  chainId,
  count,
  hex32,
  mandateState,
  parties,
  preparedCall,
  publicId,
  sentence,
  txHash,
  usdc,
  walletTransaction,
} from './fields.ts'
import { chainState, mandateSummary, withdrawLock } from './mandate.ts'
import * as refusals from './refusals.ts'

/** Exceeds the longest time that chain-indexer takes to read a transaction, so that its outage is reported as an outage. */
export const RECEIPT_TIMEOUT_MS = 25_000

const receiptRefusals = [
  refusals.transactionUnknown,
  refusals.transactionUnconfirmed,
  refusals.transactionReverted,
  refusals.transactionForeign,
  refusals.chainNotConfigured,
] as const

const input = z.strictObject({ public_id: publicId })

/** A call for the owner's wallet, or the reason why no call is possible now. */
const callOrReason = z.object({
  public_id: publicId,
  call: preparedCall.nullable(),
  tx: walletTransaction.nullable(),
  reason: z.string().max(40).nullable().meta({ description: 'Why no call is possible; null with a call' }),
  detail: sentence.nullable(),
  until: instant.nullable().meta({ description: 'When a call becomes possible; null when unknown or with a call' }),
})

/** Kinds of transactions that `vault-tx` records. */
export const vaultTxKind = z.enum(['stop', 'pause', 'resume', 'withdraw', 'unwind', 'deposit'])

const planStep = z.object({
  n: z.int().min(1).max(200),
  action: z.enum(['stop_record', 'close_leg', 'return_leg', 'stop', 'unwind', 'wait', 'withdraw', 'release_leg']),
  title: z.string().max(200),
  call: preparedCall.nullable().meta({ description: 'Null for a step that waits or that a route takes' }),
  tx: walletTransaction.nullable(),
  route: z
    .string()
    .max(120)
    .nullable()
    .meta({ description: 'Route that takes the step; null for a step that waits or is sent to the chain' }),
  until: instant.nullable(),
  market: z.string().max(80).nullable(),
  exit_value_usdc: usdc
    .nullable()
    .meta({ description: 'USDC that the venue pays now for the whole position; null when unknown' }),
  exit_cost_usdc: usdc.nullable().meta({ description: 'Fee and spread of that sale; null when unknown' }),
  detail: sentence.nullable(),
})

/** A step of closing a mandate, before it is numbered. */
export type ClosingStep = Omit<z.output<typeof planStep>, 'n'>

/** Most legs of one page. */
const LEGS_MAX = 100

/** A leg with everything that decides whether its money moves, from chain facts and stored rows. */
const legToMove = z.object({
  public_id: publicId,
  owner_id: accountId,
  owner_wallet: address,
  state: mandateState.meta({ description: 'State in the record' }),
  phase: chainState.shape.phase,
  stopped_at: instant.nullable().meta({ description: 'The first stop, in the record or on the chain' }),
  ends_at: instant,
  chain_id: chainId,
  vault: address,
  accounted_usdc: usdc.meta({ description: 'USDC in the books of the vault, without the fee' }),
  held_usdc: usdc.meta({ description: 'USDC of calls that wait for the owner or are approved and not yet sent' }),
  leg_budget_usdc: usdc,
  leg_out_usdc: usdc,
  leg_open: z.boolean(),
  leg_seq: count.meta({ description: 'Number of the newest funding' }),
  marked_leg_usdc: usdc
    .nullish()
    .meta({ description: 'Leg money in the newest mark that counted it; null without one' }),
})

/** Creating, attaching, steering, closing and settling a vault. */
export const vaultOperations = {
  prepareCreation: operation({
    summary: 'Get the call that an owner sends to create the vault of a mandate',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/create-call',
    input: z.strictObject({ public_id: publicId }),
    success: {
      200: z.object({
        configured: z.boolean().meta({ description: 'False while no factory is configured' }),
        call: preparedCall.nullable(),
        tx: walletTransaction.nullable(),
        factory: address.nullable(),
        terms_hash: hex32,
        detail: sentence.nullable(),
      }),
    },
    refusals: [
      refusals.unknownMandate,
      refusals.wrongState,
      refusals.vaultAttached,
      refusals.signAgain,
      refusals.termsOver,
    ],
  }),
  attachVault: operation({
    summary: 'Attach the created vault to your mandate',
    description:
      'Send the hash of the transaction that created the vault. A repeated request with the same hash returns the same answer.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/mandates/{public_id}/vault',
    idempotent: true,
    timeoutMs: RECEIPT_TIMEOUT_MS,
    input: z.strictObject({ public_id: publicId, tx_hash: txHash }),
    success: {
      200: z.object({
        ok: okTrue,
        vault: address,
        chain_id: chainId,
        factory: address,
        state: mandateState,
        mandate: mandateSummary,
      }),
    },
    refusals: [
      refusals.unknownMandate,
      refusals.wrongState,
      refusals.vaultAttached,
      refusals.vaultMismatch,
      ...receiptRefusals,
    ],
  }),
  prepareStop: operation({
    summary: 'Get the call that an owner sends to stop the vault and revoke the agent for good',
    auth: 'owner',
    limit: 'hub_exit',
    http: 'GET /hub/mandates/{public_id}/stop-call',
    input,
    success: { 200: callOrReason },
    refusals: [refusals.unknownMandate, refusals.vaultNotAttached],
  }),
  preparePause: operation({
    summary: 'Get the call that an owner sends to pause the vault by revoking the agent',
    auth: 'owner',
    limit: 'hub_exit',
    http: 'GET /hub/mandates/{public_id}/pause-call',
    input,
    success: { 200: callOrReason },
    refusals: [refusals.unknownMandate, refusals.vaultNotAttached],
  }),
  prepareResume: operation({
    summary: 'Get the call that an owner sends to end a pause',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/resume-call',
    input,
    success: { 200: callOrReason },
    refusals: [refusals.unknownMandate, refusals.vaultNotAttached, refusals.wrongState],
  }),
  prepareWithdrawal: operation({
    summary: 'Get the call that an owner sends to withdraw everything, or why and until when withdrawal is locked',
    auth: 'owner',
    limit: 'hub_exit',
    http: 'GET /hub/mandates/{public_id}/withdraw-call',
    input,
    success: { 200: callOrReason.extend({ lock: withdrawLock }) },
    refusals: [refusals.unknownMandate, refusals.vaultNotAttached],
  }),
  prepareUnwind: operation({
    summary: 'Get the call that closes a position in the vault, for the agent or its owner',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/unwind-call',
    input: z.strictObject({ public_id: publicId, target: address, data: calldata }),
    success: { 200: z.object({ public_id: publicId, call: preparedCall, tx: walletTransaction }) },
    refusals: [
      refusals.unknownMandate,
      refusals.vaultNotAttached,
      refusals.mandateNotClosed,
      refusals.agentRevoked,
      refusals.callNotListed,
    ],
  }),
  planClosing: operation({
    summary: 'Plan how an owner stops the vault, closes all positions and withdraws',
    description:
      'Returns ordered steps with the current cost of closing each position. The leg comes first: its positions are closed and its money returns to the vault. The service sends nothing.',
    auth: 'owner',
    limit: 'hub_exit',
    http: 'GET /hub/mandates/{public_id}/close-all-plan',
    input,
    success: {
      200: z.object({
        public_id: publicId,
        steps: z.array(planStep).max(200),
        exit_value_usdc: usdc.nullable().meta({ description: 'Null if a position has no price' }),
        exit_cost_usdc: usdc.nullable(),
        idle_usdc: usdc,
        leg_out_usdc: usdc.meta({ description: 'USDC of the vault that is at the leg' }),
        complete: z.boolean().meta({ description: 'False if a venue with positions cannot be read' }),
        detail: sentence.nullable(),
        computed_at: instant,
      }),
    },
    refusals: [refusals.unknownMandate, refusals.vaultNotAttached, refusals.chainNotConfigured],
  }),
  recordVaultTransaction: operation({
    summary: 'Record a transaction that the owner sent to the vault',
    description:
      'The service reads the receipt from the chain; only a successful, confirmed receipt changes the state. A repeated request with the same hash returns the same answer.',
    auth: 'owner',
    limit: 'hub_exit',
    http: 'POST /hub/mandates/{public_id}/vault-tx',
    idempotent: true,
    timeoutMs: RECEIPT_TIMEOUT_MS,
    input: z.strictObject({
      public_id: publicId,
      kind: vaultTxKind,
      tx_hash: txHash,
      amount_usdc: usdc
        .optional()
        .meta({ description: 'Compared with the receipt; a different amount is rejected with amount_mismatch' }),
    }),
    success: {
      200: z.object({
        ok: okTrue,
        state: mandateState,
        kind: vaultTxKind,
        tx_hash: txHash,
        amount_usdc: usdc
          .nullable()
          .meta({ description: 'Amount moved according to the receipt; null if it moved none' }),
      }),
    },
    refusals: [refusals.unknownMandate, refusals.vaultNotAttached, refusals.amountMismatch, ...receiptRefusals],
  }),
  listLegsToMove: operation({
    summary: 'List the legs whose money the keeper moves',
    description:
      'Mandates with a leg whose vault funds it, in a fixed order. A closed mandate is listed only while its leg is open.',
    auth: 'service',
    callers: ['keeper'],
    input: z.strictObject({
      after: publicId.optional().meta({ description: 'Last mandate of the previous page' }),
      limit: z.int().min(1).max(LEGS_MAX).default(LEGS_MAX),
    }),
    success: { 200: z.object({ legs: z.array(legToMove).max(LEGS_MAX) }) },
  }),
  settleMandate: operation({
    summary: 'Record the settlement of a vault for the keeper, from chain facts only',
    auth: 'keeper',
    limit: 'none',
    http: 'POST /hub/mandates/{public_id}/settle',
    idempotent: true,
    timeoutMs: RECEIPT_TIMEOUT_MS,
    input: z.strictObject({ public_id: publicId, tx_hash: txHash.optional() }),
    success: {
      200: z.object({
        ok: okTrue,
        state: mandateState,
        settled_at: instant,
        fee_usdc: usdc,
        tx_hash: txHash,
        already: z.boolean().meta({ description: 'True if the settlement was recorded before' }),
      }),
    },
    refusals: [
      refusals.unknownMandate,
      refusals.vaultNotAttached,
      refusals.mandateNotClosed,
      refusals.notSettled,
      ...receiptRefusals,
    ],
  }),
} as const

/** Facts of vaults. */
export const vaultEvents = {
  vaultAttached: event({
    summary: 'A vault was attached to a mandate',
    payload: z.object({ ...parties, chain_id: chainId, vault: address, at: instant }),
  }),
} as const

/** Background work on vaults. */
export const vaultJobs = {
  recheckReceipts: job({
    summary:
      'Withdraw facts of receipts whose transactions a reorganisation removed before chain-indexer confirmed them',
    everyMs: 5_000,
    max: 50,
    budgetSec: 30,
  }),
} as const
