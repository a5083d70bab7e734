import { job, operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, instant, okTrue } from '../common.ts'
import { publicId } from './fields.ts'
import { draftFields, mandateBody, mandateLimits } from './limit-schemas.ts'
import { mandateSummary } from './mandate.ts'
import * as refusals from './refusals.ts'

const claimToken = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'use the claim_token exactly as it was answered')
  .max(43)
  .meta({ description: 'Claims an unowned draft; shown once' })

const fieldError = z.object({
  pointer: z.string().max(200),
  code: z.string().max(60),
  detail: z.string().max(500),
})

const fieldOrigin = z.object({
  field: z.enum(draftFields),
  source: z.enum(['note', 'preset']),
  words: z.string().max(500).nullable().meta({ description: 'The words of the note; null when the preset filled it' }),
})

/** Writing drafts, and confirming a mandate. */
export const draftOperations = {
  draftFromNote: operation({
    summary: 'Turn a purpose note into a draft',
    description:
      'A fixed parser of English and Korean, no model: amounts, percentages, durations, markets and words of caution come from the note, the Standard ' +
      'preset fills the rest, and fields says for each which it was. The draft is never looser than the words: an amount that no field took, a ' +
      'contradiction, and a word of a limit without an amount are problems, and a draft with one is not saved. Nothing is stored unless save is true. Saved with a session it is yours; saved without one it is kept for ' +
      '24 hours for whoever has the claim_token, 20 a day per client address.',
    auth: 'open',
    limit: 'hub_write',
    http: 'POST /hub/mandates/draft',
    idempotent: true,
    // The claim_token is shown once.
    secret: true,
    input: z.strictObject({
      note: z
        .string()
        .min(1)
        .max(2000)
        .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be well-formed Unicode without NUL')
        .meta({
          description: 'What the mandate is for, in plain words',
          example: '500 USDC for 2 weeks, 50 per trade',
        }),
      save: z.boolean().default(false),
    }),
    success: {
      200: z.object({
        ok: okTrue,
        draft: mandateLimits.extend({ name: z.string().max(80) }),
        fields: z.array(fieldOrigin).max(draftFields.length),
        problems: z.array(fieldError).max(20).meta({
          description: 'Words that cannot be read, and rules that the draft breaks; with one it is not saved',
        }),
        unread: z
          .array(z.string().max(200))
          .max(50)
          .meta({ description: 'Words of the note that no field took: an amount, or a word of a limit without one' }),
      }),
      201: z.object({
        ok: okTrue,
        public_id: publicId,
        draft: mandateLimits.extend({ name: z.string().max(80) }),
        fields: z.array(fieldOrigin).max(draftFields.length),
        claim_token: claimToken.nullable().meta({ description: 'Null when the draft is owned' }),
        expires_at: instant,
      }),
    },
    refusals: [refusals.invalidMandate, refusals.draftLimit, common.rateLimited],
  }),
  createMandate: operation({
    summary: 'Create a mandate as a draft',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/mandates',
    tool: 'mandate_create',
    idempotent: true,
    input: mandateBody,
    success: { 201: z.object({ ok: okTrue, mandate: mandateSummary }) },
    refusals: [
      refusals.invalidMandate,
      refusals.unknownAgent,
      refusals.agentNotPossible,
      refusals.policyRefuses,
      refusals.draftLimit,
    ],
  }),
  correctMandate: operation({
    summary: 'Correct a draft',
    description:
      'Replaces all its fields. An agent that had accepted other limits has not accepted these. Once signed the terms stand.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'PUT /hub/mandates/{public_id}',
    input: mandateBody.extend({ public_id: publicId }),
    success: { 200: z.object({ ok: okTrue, mandate: mandateSummary }) },
    refusals: [
      refusals.unknownMandate,
      refusals.mandateNotDraft,
      refusals.invalidMandate,
      refusals.unknownAgent,
      refusals.agentNotPossible,
      refusals.policyRefuses,
    ],
  }),
  assignAgent: operation({
    summary: 'Designate the agent of a draft',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/mandates/{public_id}/assign',
    input: z.strictObject({ public_id: publicId, agent_id: accountId }),
    success: { 200: z.object({ ok: okTrue, mandate: mandateSummary }) },
    refusals: [
      refusals.unknownMandate,
      refusals.mandateNotDraft,
      refusals.unknownAgent,
      refusals.agentNotPossible,
      refusals.policyRefuses,
    ],
  }),
  claimMandate: operation({
    summary: 'Claim a draft that was saved without a session',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/mandates/claim',
    input: z.strictObject({ public_id: publicId, claim_token: claimToken }),
    success: { 200: z.object({ ok: okTrue, mandate: mandateSummary }) },
    refusals: [refusals.claimInvalid, refusals.draftLimit],
  }),
  acceptMandate: operation({
    summary: 'Confirm a mandate that names you',
    description: 'Confirming again answers the same.',
    auth: 'agent',
    limit: 'hub_write',
    http: 'POST /hub/mandates/{public_id}/accept',
    tool: 'mandate_accept',
    input: z.strictObject({ public_id: publicId }),
    success: { 200: z.object({ ok: okTrue, public_id: publicId, accepted_at: instant }) },
    refusals: [refusals.unknownMandate, refusals.wrongState],
  }),
} as const

/** Background work on drafts. */
export const draftJobs = {
  forgetDrafts: job({
    summary: 'Delete unowned drafts that nobody claimed within 24 hours',
    everyMs: 600_000,
    max: 5_000,
    budgetSec: 30,
  }),
} as const
