import { event, job, operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, givenInstant, instant, okTrue } from '../common.ts'
import { address, count, marketId, publicId, sentence, txHash, usdc } from './fields.ts'
import { unknownMandate, vaultNotAttached } from './refusals.ts'
import { refusalBlock, refusalKind, refusalSource } from './verdict.ts'

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

/** What agents report. */
export const executionOperations = {
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

/** Facts of what went wrong. */
export const executionEvents = {
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

/** Background work on held calls and executions. */
export const executionJobs = {
  tendApprovals: job({
    summary: 'End held calls whose time is over, and judge executions that came before their vault was attached',
    everyMs: 5_000,
    wokenBy: ['attachVault', 'chain-indexer.vaultCreated'],
    max: 500,
    budgetSec: 30,
  }),
} as const
