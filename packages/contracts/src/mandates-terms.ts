import { operation } from '@svc/contract'
import { z } from 'zod'
import { instant, okTrue } from './common.ts'
import { mandateSummary } from './mandates-detail.ts'
import {
  address,
  chainId,
  clause,
  hex32,
  mandateState,
  preparedCall,
  walletTransaction,
  publicId,
  sentence,
  txHash,
} from './mandates-fields.ts'
import * as refusals from './mandates-refusals.ts'

const signature = z
  .string()
  .min(4)
  .max(16_386)
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/, 'must be 0x and whole bytes in hex')
  .meta({ description: 'eth_signTypedData_v4, or what a contract wallet takes (ERC-1271, ERC-6492)' })

const typedData = z
  .looseObject({ primaryType: z.literal('MandateTerms') })
  .meta({ description: 'EIP-712 typed data, version 2, for eth_signTypedData_v4' })

/** Longer than chain-indexer takes at most to read a transaction, so that its outage is told as one, not as a lost call. */
export const RECEIPT_TIMEOUT_MS = 25_000

const receiptRefusals = [
  refusals.transactionUnknown,
  refusals.transactionUnconfirmed,
  refusals.transactionReverted,
  refusals.transactionForeign,
  refusals.chainNotConfigured,
] as const

/** The terms, their signature and the vault they create. */
export const termsOperations = {
  readTerms: operation({
    summary: 'Read the terms to sign',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/terms',
    input: z.strictObject({ public_id: publicId }),
    success: {
      200: z.object({
        public_id: publicId,
        version: z.literal('2'),
        terms_hash: hex32.meta({ description: 'EIP-712 digest of typed_data' }),
        typed_data: typedData,
        clauses: z.array(clause).max(8),
        factory_configured: z
          .boolean()
          .meta({ description: 'While false, the terms must be signed again once a factory is configured' }),
        signed: z.boolean().meta({ description: 'Whether exactly these terms are signed' }),
        signed_at: instant.nullable(),
      }),
    },
    refusals: [refusals.unknownMandate, refusals.noAgent, refusals.unknownAgent, refusals.agentNotPossible],
  }),
  signTerms: operation({
    summary: "Store the owner's signature on the terms",
    description:
      'Possible on a draft, and again on a signed mandate without a vault when the factory is another one than signed for.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/mandates/{public_id}/sign',
    idempotent: true,
    input: z.strictObject({ public_id: publicId, signature, terms_hash: hex32 }),
    success: { 200: z.object({ ok: okTrue, terms_hash: hex32, signed_at: instant, mandate: mandateSummary }) },
    refusals: [
      refusals.unknownMandate,
      refusals.wrongState,
      refusals.noAgent,
      refusals.unknownAgent,
      refusals.agentNotPossible,
      refusals.policyRefuses,
      refusals.termsOver,
      refusals.termsChanged,
      refusals.termsSignatureInvalid,
      refusals.termsSignatureMalleable,
    ],
  }),
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
} as const

/** Refusals of every route that reads a transaction. */
export const transactionRefusals = receiptRefusals
