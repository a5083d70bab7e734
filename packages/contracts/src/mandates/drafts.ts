import { job, operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, instant, okTrue } from '../common.ts'
import { publicId, sentence } from './fields.ts'
import { draftFields, mandateBody, mandateLimits } from './limit-schemas.ts'
import { mandateSummary } from './mandate.ts'
import * as refusals from './refusals.ts'

const claimToken = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'use the claim_token exactly as the API returned it')
  .max(43)
  .meta({
    description: 'Claims an unowned draft; returned once',
    example: 'dGhpcyBpcyBub3QgYSByZWFsIGNsYWltIHRva2VuISE',
  })

const fieldError = z.object({
  pointer: z.string().max(200),
  code: z.string().max(60),
  detail: z.string().max(500),
})

const fieldOrigin = z.object({
  field: z.enum(draftFields),
  source: z.enum(['note', 'preset']),
  words: z.string().max(500).nullable().meta({ description: 'Words of the note; null if the preset set the field' }),
})

const exposure = sentence.nullable().meta({
  description:
    'What others will be able to find out about the vault, for the owner to know before signing; null: nothing by the Hall',
})

/** Operations that write and claim drafts, and confirm a mandate. */
export const draftOperations = {
  draftFromNote: operation({
    summary: 'Turn a note in plain words into a draft of a mandate',
    description:
      'Reads English and Korean with a fixed parser, without a language model. Amounts, percentages, durations, markets and words of caution come from the note; ' +
      'the Standard preset sets the other fields, and fields states the source of each. The draft is never looser than the words: an amount that no field uses, a ' +
      'contradiction, and a limit without an amount are problems, and a draft with problems is not saved. Nothing is stored unless save is true. A draft saved with a session belongs to the account. ' +
      'A draft saved without a session lapses after 24 hours unless an account claims it with the claim_token; a client address can save 20 of these a day.',
    auth: 'open',
    limit: 'hub_write',
    http: 'POST /hub/mandates/draft',
    idempotent: true,
    // The claim_token is returned once.
    secret: true,
    input: z.strictObject({
      note: z
        .string()
        .min(1)
        .max(2000)
        .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be well-formed Unicode without NUL')
        .meta({
          description: 'Purpose and limits of the mandate, in plain words',
          example: '500 USDC for 2 weeks, 50 per trade',
        }),
      save: z.boolean().default(false).meta({ description: 'true: store the draft, unless it has problems' }),
    }),
    success: {
      200: z.object({
        ok: okTrue,
        draft: mandateLimits.extend({ name: z.string().max(80) }),
        fields: z.array(fieldOrigin).max(draftFields.length),
        problems: z.array(fieldError).max(20).meta({
          description: 'Words that cannot be read, and rules that the draft breaks; a draft with problems is not saved',
        }),
        unread: z
          .array(z.string().max(200))
          .max(50)
          .meta({ description: 'Words of the note that no field uses: an amount, or a limit without an amount' }),
      }),
      201: z.object({
        ok: okTrue,
        public_id: publicId,
        draft: mandateLimits.extend({ name: z.string().max(80) }),
        fields: z.array(fieldOrigin).max(draftFields.length),
        claim_token: claimToken.nullable().meta({ description: 'Null if the draft belongs to an account' }),
        expires_at: instant,
      }),
    },
    refusals: [refusals.invalidMandate, refusals.draftLimit, common.rateLimited],
  }),
  createMandate: operation({
    summary: 'Create a draft of a mandate that you own',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/mandates',
    tool: 'mandate_create',
    toolTitle: 'Draft a mandate',
    idempotent: true,
    input: mandateBody,
    success: { 201: z.object({ ok: okTrue, mandate: mandateSummary, exposure }) },
    refusals: [
      refusals.invalidMandate,
      refusals.unknownAgent,
      refusals.agentNotPossible,
      refusals.policyRefuses,
      refusals.proofExposesOthers,
      refusals.draftLimit,
    ],
  }),
  correctMandate: operation({
    summary: 'Replace the fields of a draft that you own',
    description:
      'Replaces all fields. If the limits or the agent change, the agent must confirm the mandate again. Signed terms cannot be changed.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'PUT /hub/mandates/{public_id}',
    input: mandateBody.extend({ public_id: publicId }),
    success: { 200: z.object({ ok: okTrue, mandate: mandateSummary, exposure }) },
    refusals: [
      refusals.unknownMandate,
      refusals.mandateNotDraft,
      refusals.invalidMandate,
      refusals.unknownAgent,
      refusals.agentNotPossible,
      refusals.policyRefuses,
      refusals.proofExposesOthers,
    ],
  }),
  assignAgent: operation({
    summary: 'Designate the agent of a draft that you own',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/mandates/{public_id}/assign',
    input: z.strictObject({ public_id: publicId, agent_id: accountId }),
    success: { 200: z.object({ ok: okTrue, mandate: mandateSummary, exposure }) },
    refusals: [
      refusals.unknownMandate,
      refusals.mandateNotDraft,
      refusals.unknownAgent,
      refusals.agentNotPossible,
      refusals.policyRefuses,
      refusals.proofExposesOthers,
    ],
  }),
  claimMandate: operation({
    summary: 'Become the owner of a draft that was saved without a session',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/mandates/claim',
    input: z.strictObject({ public_id: publicId, claim_token: claimToken }),
    success: { 200: z.object({ ok: okTrue, mandate: mandateSummary }) },
    refusals: [refusals.claimInvalid, refusals.draftLimit],
  }),
  acceptMandate: operation({
    summary: 'Confirm a mandate that names you as its agent',
    description: 'Confirming again returns the same answer.',
    auth: 'agent',
    limit: 'hub_write',
    http: 'POST /hub/mandates/{public_id}/accept',
    tool: 'mandate_accept',
    toolTitle: 'Accept a mandate',
    input: z.strictObject({ public_id: publicId }),
    success: { 200: z.object({ ok: okTrue, public_id: publicId, accepted_at: instant }) },
    refusals: [refusals.unknownMandate, refusals.wrongState],
  }),
} as const

/** Jobs on drafts. */
export const draftJobs = {
  forgetDrafts: job({
    summary: 'Delete unowned drafts that nobody claimed within 24 hours',
    everyMs: 600_000,
    max: 5_000,
    budgetSec: 30,
  }),
} as const
