import { event, operation } from '@svc/contract'
import { z } from 'zod'
import { instant, okTrue } from '../common.ts'
import { clause, hex32, parties, publicId, sentence } from './fields.ts'
import { mandateSummary } from './mandate.ts'
import * as refusals from './refusals.ts'
import { signAgain, unknownMandate, wrongState } from './refusals.ts'

const signature = z
  .string()
  .min(4)
  .max(16_386)
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/, 'must be 0x and whole bytes in hex')
  .meta({ description: 'eth_signTypedData_v4, or what a contract wallet takes (ERC-1271, ERC-6492)' })

const typedData = z
  .looseObject({ primaryType: z.literal('MandateTerms') })
  .meta({ description: 'EIP-712 typed data, version 2, for eth_signTypedData_v4' })

/** Neighbouring standards that a signed mandate can be written in. */
export const exportStandard = z.enum(['erc7715', 'erc7710', 'spend-permission', 'zodiac-role', 'ap2'])
export type ExportStandard = z.output<typeof exportStandard>

const coverage = z.object({
  clause: z.int().min(1).max(8),
  coverage: z
    .enum(['enforced', 'lossy', 'not_enforced'])
    .meta({ description: 'lossy: something near it is enforced; detail says what differs' }),
  detail: sentence,
})
export type Coverage = z.output<typeof coverage>

/** The terms, their signature, and other forms of them. */
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
  exportMandate: operation({
    summary: 'Write a signed mandate in a neighbouring standard',
    description:
      'A document for a wallet or account that speaks the standard, and a table that says of each clause what the document cannot enforce. It changes nothing here: the vault keeps enforcing the mandate.',
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
            'What the libraries of the standard read as it stands; null where its contracts have no known deployment on the chain of the terms, as detail says',
        }),
        coverage: z
          .array(coverage)
          .length(8)
          .meta({ description: 'What a document of the standard enforces of each clause' }),
        detail: sentence,
      }),
    },
    refusals: [unknownMandate, wrongState, signAgain],
  }),
  listClearSigning: operation({
    summary: 'List the ERC-7730 descriptors by which a wallet shows what is signed',
    description:
      'Descriptors of the terms, the factory and its vaults at the contracts of this deployment, each to be handed to a wallet as a file. Empty while no factory is configured.',
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

/** Facts of terms. */
export const termsEvents = {
  termsSigned: event({
    summary: 'The owner signed the terms of a mandate',
    payload: z.object({ ...parties, terms_hash: z.string(), at: instant }),
  }),
} as const
