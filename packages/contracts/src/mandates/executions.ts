import { event, job, operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, givenInstant, instant, okTrue } from '../common.ts'
import { address, count, marketId, publicId, sentence, txHash, usdc } from './fields.ts'
import { unknownMandate, vaultNotAttached } from './refusals.ts'
import { refusalBlock, refusalKind, refusalSource } from './verdict.ts'

const occurredAt = givenInstant.meta({
  description: 'When it happened: not in the future, and not before the mandate was created',
})
const note = z
  .string()
  .max(1000)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be well-formed Unicode without NUL')
  .meta({ description: 'Text for the record' })
const contradictsChain = z
  .boolean()
  .nullable()
  .meta({ description: 'True if the chain contradicts the report; null while the chain does not show the transaction' })
const attempted = z
  .strictObject({
    target: address.optional(),
    amount_usdc: usdc.optional(),
    market: marketId.optional(),
  })
  .meta({ description: 'The refused call', example: { amount_usdc: '75', market: 'testvenue' } })

/** Kinds of event that an agent reports. */
export const eventKind = z.enum(['buy', 'sell', 'move', 'fee', 'resolve', 'note'])

/** What agents report. */
export const executionOperations = {
  reportEvent: operation({
    summary: 'Report an action of the agent under a mandate',
    description:
      'A report of a transaction that the chain shows annotates that transaction and is not counted again. The answer is 202 with violation true if the action breaks the mandate by the sums of the service. A trade that the chain contradicts is marked contradicts_chain and counted.',
    auth: 'agent',
    limit: 'hub_write',
    http: 'POST /hub/mandates/{public_id}/events',
    tool: 'mandate_report_event',
    toolTitle: 'Report an action',
    idempotent: true,
    input: z.strictObject({
      public_id: publicId,
      kind: eventKind.meta({ description: 'What was done' }),
      market: marketId.optional(),
      side: z.enum(['buy', 'sell']).optional().meta({ description: 'Of a trade' }),
      amount_usdc: usdc.optional(),
      quantity: z
        .string()
        .regex(/^(?:0|[1-9]\d{0,30})(?:\.\d{1,18})?$/, 'write a plain decimal string: no sign, no exponent')
        .max(50)
        .optional()
        .meta({ description: 'Units traded' }),
      price: z
        .string()
        .regex(/^(?:0|[1-9]\d{0,30})(?:\.\d{1,18})?$/, 'write a plain decimal string: no sign, no exponent')
        .max(50)
        .optional()
        .meta({ description: 'Price of a unit' }),
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
    summary: 'Report a refused attempt of the agent',
    description:
      "With tx_hash the service reads the receipt: a reverted call from the agent's wallet to the vault sets source to chain and kind to the proved one; otherwise source stays agent.",
    auth: 'agent',
    limit: 'hub_write',
    http: 'POST /hub/mandates/{public_id}/refusals',
    tool: 'mandate_report_refusal',
    toolTitle: 'Report a refused attempt',
    idempotent: true,
    input: z.strictObject({
      public_id: publicId,
      kind: refusalKind.exclude(['owner_declined']).meta({ description: 'What refused it' }),
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
        already: z
          .literal(true)
          .meta({ description: 'The transaction was reported before, or chain-indexer found it first' }),
        refusal: refusalBlock,
      }),
      201: z.object({
        ok: okTrue,
        refusal_id: count,
        kind: refusalKind,
        source: refusalSource,
        proof: z
          .enum(['proved', 'no_transaction', 'unknown_transaction', 'pending', 'succeeded', 'foreign', 'not_a_refusal'])
          .meta({ description: 'Result of reading the receipt' }),
        refusal: refusalBlock,
      }),
    },
    refusals: [common.invalidRequest, unknownMandate, vaultNotAttached],
  }),
} as const

/** Violations. */
export const executionEvents = {
  violationFound: event({
    summary: 'An execution or report broke a mandate',
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
    summary:
      'Expire held calls that are past their time, and judge executions that arrived before their vault was attached',
    everyMs: 5_000,
    wokenBy: ['attachVault', 'chain-indexer.vaultCreated'],
    max: 500,
    budgetSec: 30,
  }),
} as const
