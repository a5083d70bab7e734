import { operation } from '@svc/contract'
import { z } from 'zod'
import { hex32, publicId, sentence } from './mandates-fields.ts'
import { signAgain, unknownMandate, wrongState } from './mandates-refusals.ts'

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

/** Exports of a signed mandate. */
export const exportOperations = {
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
} as const
