import { event, job, operation } from '@svc/contract'
import { z } from 'zod'
import { instant, okTrue } from '../common.ts'
import {
  address,
  calldata,
  chainId,
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
import { mandateSummary, withdrawLock } from './mandate.ts'
import * as refusals from './refusals.ts'

/** Longer than chain-indexer takes at most to read a transaction, so that its outage is told as one, not as a lost call. */
export const RECEIPT_TIMEOUT_MS = 25_000

const receiptRefusals = [
  refusals.transactionUnknown,
  refusals.transactionUnconfirmed,
  refusals.transactionReverted,
  refusals.transactionForeign,
  refusals.chainNotConfigured,
] as const

const input = z.strictObject({ public_id: publicId })

/** A call for the owner's wallet, or the reason why there is none now. */
const callOrReason = z.object({
  public_id: publicId,
  call: preparedCall.nullable(),
  tx: walletTransaction.nullable(),
  reason: z.string().max(40).nullable().meta({ description: 'Machine word; null when there is a call' }),
  detail: sentence.nullable(),
  until: instant.nullable().meta({ description: 'When to ask again' }),
})

/** Kinds of transactions that `vault-tx` records. */
export const vaultTxKind = z.enum(['stop', 'pause', 'resume', 'withdraw', 'unwind', 'deposit'])

const planStep = z.object({
  n: z.int().min(1).max(200),
  action: z.enum(['stop', 'unwind', 'wait', 'withdraw']),
  title: z.string().max(200),
  call: preparedCall.nullable().meta({ description: 'Null for what is waited for' }),
  tx: walletTransaction.nullable(),
  until: instant.nullable(),
  market: z.string().max(80).nullable(),
  exit_value_usdc: usdc
    .nullable()
    .meta({ description: 'What the venue would pay now for the whole position; null when unknown' }),
  exit_cost_usdc: usdc.nullable().meta({ description: 'Fee and spread of that; null when unknown' }),
  detail: sentence.nullable(),
})

/** Creating, attaching, steering, closing and settling a vault. */
export const vaultOperations = {
  prepareCreation: operation({
    summary: 'Get the call that creates the vault',
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
    summary: 'Attach the vault that a transaction created',
    description: 'Attaching the same transaction again answers the same.',
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
    summary: 'Get the call that stops the vault and revokes the agent',
    auth: 'owner',
    limit: 'hub_exit',
    http: 'GET /hub/mandates/{public_id}/stop-call',
    input,
    success: { 200: callOrReason },
    refusals: [refusals.unknownMandate, refusals.vaultNotAttached],
  }),
  preparePause: operation({
    summary: "Get the call that revokes the agent's power",
    auth: 'owner',
    limit: 'hub_exit',
    http: 'GET /hub/mandates/{public_id}/pause-call',
    input,
    success: { 200: callOrReason },
    refusals: [refusals.unknownMandate, refusals.vaultNotAttached],
  }),
  prepareResume: operation({
    summary: 'Get the call that ends a pause',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/resume-call',
    input,
    success: { 200: callOrReason },
    refusals: [refusals.unknownMandate, refusals.vaultNotAttached, refusals.wrongState],
  }),
  prepareWithdrawal: operation({
    summary: 'Get the call that withdraws everything, or why it is locked and until when',
    auth: 'owner',
    limit: 'hub_exit',
    http: 'GET /hub/mandates/{public_id}/withdraw-call',
    input,
    success: { 200: callOrReason.extend({ lock: withdrawLock }) },
    refusals: [refusals.unknownMandate, refusals.vaultNotAttached],
  }),
  prepareUnwind: operation({
    summary: 'Get the call that closes a position of a closed mandate',
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
    summary: 'Plan how to stop and close everything',
    description: 'Ordered steps with what leaving each position would cost now. Nothing is sent.',
    auth: 'owner',
    limit: 'hub_exit',
    http: 'GET /hub/mandates/{public_id}/close-all-plan',
    input,
    success: {
      200: z.object({
        public_id: publicId,
        steps: z.array(planStep).max(200),
        exit_value_usdc: usdc.nullable().meta({ description: 'Null when a position cannot be priced' }),
        exit_cost_usdc: usdc.nullable(),
        idle_usdc: usdc,
        complete: z.boolean().meta({ description: 'False when positions are at a venue that cannot be read' }),
        detail: sentence.nullable(),
        computed_at: instant,
      }),
    },
    refusals: [refusals.unknownMandate, refusals.vaultNotAttached, refusals.chainNotConfigured],
  }),
  recordVaultTransaction: operation({
    summary: 'Record a transaction that you sent to the vault',
    description:
      'Read from the chain at once; the state changes only by its successful, confirmed receipt. The same transaction again answers the same.',
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
        .meta({ description: 'Compared with the receipt: another amount is refused with amount_mismatch' }),
    }),
    success: {
      200: z.object({
        ok: okTrue,
        state: mandateState,
        kind: vaultTxKind,
        tx_hash: txHash,
        amount_usdc: usdc.nullable().meta({ description: 'What the receipt says was moved; null when nothing was' }),
      }),
    },
    refusals: [refusals.unknownMandate, refusals.vaultNotAttached, refusals.amountMismatch, ...receiptRefusals],
  }),
  settleMandate: operation({
    summary: 'Record the settlement of a vault, once, from chain facts only',
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
        already: z.boolean().meta({ description: 'It was recorded before' }),
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
    summary: 'A mandate has a vault',
    payload: z.object({ ...parties, chain_id: chainId, vault: address, at: instant }),
  }),
} as const

/** Background work on vaults. */
export const vaultJobs = {
  recheckReceipts: job({
    summary: 'Take back what receipts said of transactions that a reorganisation took before the sweep saw them',
    everyMs: 5_000,
    max: 50,
    budgetSec: 30,
  }),
} as const
