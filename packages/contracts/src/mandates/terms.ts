import { event, operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, instant, okTrue } from '../common.ts'
import { chainId, clause, hex32, parties, publicId, sentence } from './fields.ts'
import { mandateLimits } from './limit-schemas.ts'
import { mandateSummary } from './mandate.ts'
import * as refusals from './refusals.ts'
import { signAgain, unknownMandate, wrongState } from './refusals.ts'

const signature = z
  .string()
  .min(4)
  .max(16_386)
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/, 'must be 0x and whole bytes in hex')
  .meta({
    description: 'Signature by eth_signTypedData_v4, or one that a contract wallet accepts (ERC-1271, ERC-6492)',
    example:
      '0x7f3b1c6a2d9e4f5061728394a5b6c7d8e9f00112233445566778899aabbccdd1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f80911b',
  })

const typedData = z
  .looseObject({ primaryType: z.literal('MandateTerms') })
  .meta({ description: 'EIP-712 typed data, version 2, for eth_signTypedData_v4' })

/** Standards to which a signed mandate can be exported. */
export const exportStandard = z.enum(['erc7715', 'erc7710', 'spend-permission', 'zodiac-role', 'ap2'])
export type ExportStandard = z.output<typeof exportStandard>

const coverage = z.object({
  clause: z.int().min(1).max(8),
  coverage: z
    .enum(['enforced', 'lossy', 'not_enforced'])
    .meta({ description: 'lossy: the document enforces something similar; detail states the difference' }),
  detail: sentence,
})
export type Coverage = z.output<typeof coverage>

const draftProblem = z.object({ pointer: z.string().max(200), code: z.string().max(60), detail: z.string().max(500) })

/** Operations on terms, their signature, and their exports. */
export const termsOperations = {
  previewDraft: operation({
    summary: 'Read what a draft with these limits would say, and what forbids it now',
    description: 'Stores nothing. Without an agent the clause of the fee names the zero address.',
    auth: 'service',
    callers: ['gallery'],
    input: z.strictObject({ limits: mandateLimits, agent_id: accountId.nullable() }),
    success: {
      200: z.object({
        limits: mandateLimits.meta({ description: 'The limits with the budget of the leg that follows from them' }),
        chain_id: chainId,
        problems: z.array(draftProblem).max(20),
        policy_item: z
          .string()
          .max(40)
          .nullable()
          .meta({ description: "Item of the agent's policy that refuses the limits; null if none does" }),
        clauses: z.array(clause).max(8),
      }),
    },
  }),
  readTerms: operation({
    summary: 'Read the terms that you sign or have signed as owner',
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
        clauses_edition: z.int().min(1).max(1_000).meta({
          description:
            'Edition of the wording of the clauses; signed terms keep theirs. 1: an order at the leg counts at its worst price; 2: at its reference price',
        }),
        factory_configured: z
          .boolean()
          .meta({ description: 'False if no factory is configured; the terms must then be signed again once it is' }),
        signed: z.boolean().meta({ description: 'True if the owner has signed exactly these terms' }),
        signed_at: instant.nullable(),
        exposure: sentence.nullable().meta({
          description: 'What others will be able to find out about the vault; null: nothing by the Hall',
        }),
      }),
    },
    refusals: [
      refusals.unknownMandate,
      refusals.noAgent,
      refusals.unknownAgent,
      refusals.agentNotPossible,
      refusals.invalidMandate,
    ],
  }),
  signTerms: operation({
    summary: 'Sign the terms of a mandate that you own',
    description:
      'Stores your signature on the terms of a draft. A signed mandate without a vault can be signed again if the factory has changed since.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/mandates/{public_id}/sign',
    idempotent: true,
    input: z.strictObject({ public_id: publicId, signature, terms_hash: hex32 }),
    success: { 200: z.object({ ok: okTrue, terms_hash: hex32, signed_at: instant, mandate: mandateSummary }) },
    refusals: [
      refusals.proofExposesOthers,
      refusals.unknownMandate,
      refusals.wrongState,
      refusals.noAgent,
      refusals.unknownAgent,
      refusals.agentNotPossible,
      refusals.policyRefuses,
      refusals.invalidMandate,
      refusals.termsOver,
      refusals.termsChanged,
      refusals.termsSignatureInvalid,
      refusals.termsSignatureMalleable,
      refusals.ownerWalletUnsupported,
    ],
  }),
  exportMandate: operation({
    summary: 'Export a signed mandate to the format of another standard',
    description:
      'Returns a document for a wallet or account that supports the standard, and states for each clause what the document enforces. The mandate does not change: the vault still enforces it.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/export/{standard}',
    input: z.strictObject({ public_id: publicId, standard: exportStandard }),
    success: {
      200: z.object({
        public_id: publicId,
        standard: exportStandard,
        terms_hash: hex32,
        document: z.record(z.string().max(100), z.unknown()).nullable().meta({
          description:
            'Document that libraries of the standard read unchanged; null if the contracts of the standard have no known deployment on the chain of the terms, or if the terms allow no call of a contract',
        }),
        coverage: z.array(coverage).length(8).meta({ description: 'For each clause, what the document enforces' }),
        detail: sentence,
      }),
    },
    refusals: [unknownMandate, wrongState, signAgain],
  }),
  listClearSigning: operation({
    summary: 'List the ERC-7730 descriptors that let your wallet show what you sign',
    description:
      'Descriptors of the terms, the factory and its vaults for the contracts of this deployment; load each into the wallet as a file. Empty while no factory is configured.',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/clear-signing',
    cacheSec: 20,
    sharedAnswer: true,
    input: z.strictObject({}),
    success: {
      200: z.object({
        items: z
          .array(
            z.object({
              name: z.string().max(60).meta({ description: 'File name', example: 'eip712-MandateTerms.json' }),
              descriptor: z.record(z.string().max(100), z.unknown()),
            }),
          )
          .max(10),
        next_cursor: z.null(),
      }),
    },
  }),
} as const

/** Events of terms. */
export const termsEvents = {
  termsSigned: event({
    summary: 'The owner signed the terms of a mandate',
    payload: z.object({ ...parties, terms_hash: z.string(), at: instant }),
  }),
} as const
