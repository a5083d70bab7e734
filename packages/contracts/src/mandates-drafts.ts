import { operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, cursor, instant, okTrue, queryInt } from './common.ts'
import { mandateSummary } from './mandates-detail.ts'
import {
  address,
  mandateBody,
  mandateLimits,
  marketId,
  preparedCall,
  publicId,
  usdc,
  walletTransaction,
} from './mandates-fields.ts'
import * as refusals from './mandates-refusals.ts'

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

const draftField = z.enum([
  'name',
  'budget_usdc',
  'per_tx_cap_usdc',
  'daily_cap_usdc',
  'stop_line_usdc',
  'approval_above_usdc',
  'markets',
  'ends_at',
  'fee_bps',
])
const fieldOrigin = z.object({
  field: draftField,
  source: z.enum(['note', 'preset']),
  words: z.string().max(500).nullable().meta({ description: 'The words of the note; null when the preset filled it' }),
})

const market = z.object({
  market_id: marketId,
  title: z.string().max(80),
  venue: z.string().max(40),
  status: z.enum(['live', 'paper', 'planned']).meta({ description: 'A planned market is in no mandate yet' }),
  enforced_by: z.enum(['contract', 'venue', 'guard']).meta({ description: 'Who holds the agent to the limits there' }),
  calls: z
    .array(
      z.object({
        target: address,
        selector: z
          .string()
          .regex(/^0x[0-9a-f]{8}$/)
          .max(10),
        function: z.string().max(120).meta({ description: 'Signature of the function' }),
      }),
    )
    .max(96)
    .meta({ description: 'Contract calls that clause 4 lists for it; none for a market of the leg' }),
  exit_adapter: z
    .string()
    .max(40)
    .nullable()
    .meta({ description: 'What prices positions there; null when nothing can, and then no worth is marked' }),
  min_order_usdc: usdc.nullable().meta({ description: 'Null when the venue has no minimum' }),
})

/** A market that a mandate may name. */
export type Market = z.output<typeof market>

/** Writing drafts, and what they may name. */
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
        fields: z.array(fieldOrigin).max(9),
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
        fields: z.array(fieldOrigin).max(9),
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
  listMarkets: operation({
    summary: 'List the markets with their status and enforcer',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/markets',
    tool: 'mandate_markets',
    cacheSec: 20,
    sharedAnswer: true,
    input: z.strictObject({}),
    success: { 200: z.object({ items: z.array(market).max(200), next_cursor: z.null() }) },
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
  listMandates: operation({
    summary: 'List the mandates that you own, or that name you as their agent',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/mandates',
    tool: 'mandate_list',
    input: z.strictObject({ limit: queryInt(1, 100, 50), cursor: cursor.optional() }),
    success: { 200: z.object({ items: z.array(mandateSummary).max(100), next_cursor: cursor.nullable() }) },
  }),
} as const

const estimate = { quoted: z.literal(false).meta({ description: 'An estimate, not a quote' }) }

/** Ways to bring money in. */
export const depositOperations = {
  listDepositRoutes: operation({
    summary: 'List the ways to bring money in, best first',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/deposit/routes',
    cacheSec: 20,
    sharedAnswer: true,
    input: z.strictObject({}),
    success: {
      200: z.object({
        items: z
          .array(
            z.object({
              route_id: z.string().max(60),
              title: z.string().max(120),
              from: z.object({ chain: z.string().max(60), asset: z.string().max(40) }),
              to: z.object({ chain: z.string().max(60), asset: z.string().max(40) }),
              steps: z.array(z.string().max(300)).max(10),
              fee_usdc: usdc.nullable().meta({ description: 'Null when unknown; network gas comes on top' }),
              eta_seconds: z.int().min(0).max(604_800).nullable(),
              ...estimate,
            }),
          )
          .max(20),
        next_cursor: z.null(),
      }),
    },
  }),
  listDepositAssets: operation({
    summary: 'List the assets that can be brought in',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/deposit/assets',
    cacheSec: 20,
    sharedAnswer: true,
    input: z.strictObject({}),
    success: {
      200: z.object({
        items: z
          .array(
            z.object({
              chain: z.string().max(60),
              chain_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER).nullable(),
              asset: z.string().max(40),
              address: address.nullable(),
              decimals: z.int().min(0).max(36).nullable(),
              direct: z.boolean().meta({ description: 'Whether a vault takes it as it is' }),
            }),
          )
          .max(50),
        next_cursor: z.null(),
      }),
    },
  }),
  planFunding: operation({
    summary: 'See how to bring money into the vault',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/fund',
    input: z.strictObject({ public_id: publicId, amount_usdc: usdc.optional() }),
    success: {
      200: z.object({
        public_id: publicId,
        vault: address,
        chain_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
        usdc: address,
        room_usdc: usdc.meta({ description: 'What the budget still takes' }),
        best_way_in: z.object({ chain: z.string().max(60), asset: z.string().max(40) }),
        amount_usdc: usdc.nullable(),
        calls: z
          .object({ approve: preparedCall, deposit: preparedCall })
          .nullable()
          .meta({ description: 'In this order; null without amount_usdc' }),
        txs: z.object({ approve: walletTransaction, deposit: walletTransaction }).nullable(),
      }),
    },
    refusals: [refusals.unknownMandate, refusals.vaultNotAttached, refusals.wrongState, refusals.invalidMandate],
  }),
} as const
