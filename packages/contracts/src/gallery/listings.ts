import { job, operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, cherry, cursor, instant, okTrue, queryInt, utcDay, strangersText } from '../common.ts'
import { label } from '../label.ts'
import { marketId, usdc } from '../mandates/fields.ts'
import { invalidListing, listingLimit, notYourListing, unknownListing, vaultTaken } from './listing-refusals.ts'
import { notOnAllowlist, operatorId, operatorKind, operatorVaultId } from './operators.ts'

/** Id of a listing. */
export const listingId = z
  .string()
  .regex(/^lst_[a-z0-9]{20}$/, 'is not a listing id')
  .max(24)
  .meta({ title: 'ListingId', description: 'Listing', example: 'lst_5x7c9v1b4m6z03kq8w2n' })
export const listingType = z.enum(['strategy_template', 'signal_subscription', 'vault_deposit'])
/** Live; suspended while the record of the seller breaks the rule for sellers; withdrawn for ever. */
export const listingStatus = z.enum(['live', 'suspended', 'withdrawn'])
export const priceModel = z.enum(['free', 'paid_read'])

/** USDC of the mandate that `adopt` suggests; the amounts of a template are those of a mandate of this size. */
export const ADOPTED_BUDGET_USDC = '50'

/** Fields of a template that a person who adopts it may set, with their unit. */
export const paramUnits = {
  per_tx_cap_usdc: 'usdc',
  daily_cap_usdc: 'usdc',
  stop_line_usdc: 'usdc',
  approval_above_usdc: 'usdc',
  days: 'days',
  fee_bps: 'bps',
  close_if_silent_minutes: 'minutes',
} as const
/** Name of a field that a param sets. */
export const paramKey = z.enum(Object.keys(paramUnits) as (keyof typeof paramUnits)[])
export type ParamKey = z.output<typeof paramKey>

/** Value of a param: USDC, or a whole number of days, basis points or minutes. */
export const paramValue = usdc.meta({ description: 'Value in the unit of the param', example: '10' })

/** Claims of a listing, its params (one a field), and listings of a page: a page of the largest ones fits one message. */
export const CITED_MAX = 5
const PARAMS_MAX = 7
export const LISTINGS_PAGE_MAX = 50

/** A field of the template that may be set, within bounds. */
export const editableParam = z
  .object({
    key: paramKey,
    title: label(80),
    unit: z.enum(['usdc', 'days', 'bps', 'minutes']),
    min: paramValue,
    max: paramValue,
    step: paramValue,
    default: paramValue,
  })
  .meta({ title: 'EditableParam' })
export type EditableParam = z.output<typeof editableParam>

/** Limits that a template suggests for a mandate of 50 USDC. */
export const listingTemplate = z
  .object({
    markets: z
      .array(marketId)
      .min(1)
      .max(32)
      .refine((ids) => new Set(ids).size === ids.length, 'name each market once')
      .meta({ description: 'Market ids of GET /hub/markets' }),
    per_tx_cap_usdc: usdc.default('5'),
    daily_cap_usdc: usdc.default('15'),
    stop_line_usdc: usdc.default('40'),
    approval_above_usdc: usdc.nullable().default(null),
    days: z.int().min(1).max(170).default(30).meta({ description: 'Days from the adoption to the end' }),
    fee_bps: z.int().min(0).max(3_000).default(1_000),
    close_if_silent_minutes: z.int().min(15).max(10_080).nullable().default(null),
  })
  .meta({ title: 'ListingTemplate', description: 'Limits for a mandate of 50 USDC' })
export type ListingTemplate = z.output<typeof listingTemplate>

/** A claim of the seller, with its source. */
export const citedClaim = z
  .object({
    url: z.url({ protocol: /^https$/, hostname: z.regexes.domain }).max(300),
    source_name: label(80),
    as_of_date: utcDay,
    claim_text: label(280),
  })
  .meta({ title: 'CitedClaim' })
export type CitedClaim = z.output<typeof citedClaim>

/** Parts of a listing that are stored as published. */
export const listingBody = z.object({
  editable_params: z.array(editableParam).max(PARAMS_MAX),
  template: listingTemplate.nullable(),
  cited: z.array(citedClaim).max(CITED_MAX),
})
export type ListingBody = z.output<typeof listingBody>

const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .max(64)
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
const figure = z.number().min(-1_000_000_000).max(1_000_000_000)

/** What the service recorded of a seller and its vault. Null means unknown. */
export const recordedFigures = z
  .object({
    days_live: count.nullable(),
    adherence_pct: z.number().min(0).max(100).nullable().meta({ description: 'Days inside limits ÷ days counted' }),
    signals_30d: count.nullable().meta({ description: 'Null without a vault' }),
    follow_gap_bps_median: figure.nullable().meta({
      description: "How much worse than the signal's price followers traded, in basis points; null before the first",
    }),
    follow_gap_bps_p90: figure.nullable(),
    followers: count.nullable().meta({ description: 'Mandates that follow now; null without a vault' }),
  })
  .meta({ title: 'RecordedFigures' })
export type RecordedFigures = z.output<typeof recordedFigures>

/** Figures that a claim may speak of and that the service records too. */
export const claimFigure = z.enum([
  'days_live',
  'adherence_pct',
  'signals_30d',
  'follow_gap_bps_median',
  'followers',
  'violations_30d',
  'rank',
])
export type ClaimFigure = z.output<typeof claimFigure>

const byStranger = (text: z.ZodString) => text.meta({ 'x-written-by': 'stranger' })

/** A claim with what the service recorded. */
export const citedView = citedClaim
  .extend({
    source_name: byStranger(citedClaim.shape.source_name),
    claim_text: byStranger(citedClaim.shape.claim_text),
    cited_vs_recorded: z
      .array(
        z.object({
          figure: claimFigure,
          cited: figure.nullable().meta({ description: 'The number in the claim; null if it names none' }),
          recorded: figure
            .nullable()
            .meta({ description: 'The same figure as this service recorded it; null if unknown' }),
        }),
      )
      .max(7)
      .meta({ description: 'Empty if the claim speaks of nothing that the service records' }),
    stale: z.boolean().meta({ description: 'True if as_of_date is more than 90 days ago' }),
  })
  .meta({ title: 'CitedClaimView', description: 'A claim of the seller; the service does not confirm it' })
export type CitedView = z.output<typeof citedView>

/** A listing as anybody sees it. */
export const listingView = z
  .object({
    listing_id: listingId,
    type: listingType,
    status: listingStatus,
    status_reason: strangersText(200),
    status_at: instant,
    title: strangersText(80),
    summary: strangersText(500),
    price_model: priceModel,
    price_cherry: cherry.nullable().meta({ description: 'Cherry for each signal; null if free' }),
    ref_vault_id: operatorVaultId.nullable(),
    seller: z.object({
      agent_id: accountId,
      operator: z
        .object({ operator_id: operatorId, title: strangersText(80), kind: operatorKind, house: z.boolean() })
        .nullable()
        .meta({ description: 'The operator of ref_vault_id; null without a vault' }),
      ranked: z.boolean().nullable().meta({ description: 'Whether the Hall ranks the seller; null if unknown' }),
      rank: count.nullable(),
    }),
    recorded: recordedFigures,
    signals_head: z
      .object({ seq: count, hash })
      .nullable()
      .meta({ description: 'Newest signal of the vault; a later read can prove that none before it was changed' }),
    cited: z.array(citedView).max(CITED_MAX),
    cited_hash: hash.meta({ description: 'SHA-256 of the RFC 8785 JSON of the claims as published' }),
    editable_params: z.array(editableParam.extend({ title: byStranger(editableParam.shape.title) })).max(PARAMS_MAX),
    template: listingTemplate.nullable(),
    published_at: instant,
  })
  .meta({ title: 'Listing' })
export type ListingView = z.output<typeof listingView>

/** Computed-at of the recorded parts, as every answer with them has it. */
export const recordedAt = {
  computed_at: instant.nullable().meta({ description: 'When the Hall was computed; null before the first time' }),
  stale: z.boolean().meta({ description: 'True if the Hall is older than 10 minutes, or was never computed' }),
} as const

const givenTemplate = z.strictObject(listingTemplate.shape)
const givenParams = z.array(z.strictObject(editableParam.shape)).max(PARAMS_MAX)

/** Operations on listings. */
export const listingOperations = {
  listListings: operation({
    summary: 'List what can be adopted, hired or followed',
    description: 'Live listings, newest first. recorded is computed by the service; cited is the claim of the seller.',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/gallery',
    tool: 'hub_gallery',
    cacheSec: 20,
    sharedAnswer: true,
    input: z.strictObject({
      type: listingType.optional().meta({ description: 'Only this type' }),
      limit: queryInt(1, LISTINGS_PAGE_MAX, 20),
      cursor: cursor.optional(),
    }),
    success: {
      200: z.object({
        ...recordedAt,
        items: z.array(listingView).max(LISTINGS_PAGE_MAX),
        next_cursor: cursor.nullable(),
      }),
    },
  }),
  readListing: operation({
    summary: 'Read one listing, also one that is suspended or withdrawn',
    description:
      'Published claims never change. earlier names the former listings of the seller whose claims were others.',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/gallery/{listing_id}',
    tool: 'hub_gallery_listing',
    cacheSec: 20,
    sharedAnswer: true,
    input: z.strictObject({ listing_id: listingId }),
    success: {
      200: z.object({
        ...recordedAt,
        ...listingView.shape,
        earlier: z
          .array(z.object({ listing_id: listingId, published_at: instant, cited_hash: hash }))
          .max(10)
          .meta({ description: 'Earlier listings of the same seller and type with other claims, newest first' }),
      }),
    },
    refusals: [unknownListing],
  }),
  publishListing: operation({
    summary: 'Publish a listing as an operator, or as an agent with a good record',
    description:
      'A signal_subscription and a vault_deposit name a vault of the seller that no other listing has; a strategy_template has a template for 50 USDC and editable_params with bounds. ' +
      'A ranked agent without a violation in 30 days may publish templates. Its first free signal_subscription, without ref_vault_id, makes it an operator if an independent owner entrusts it with at least 25 USDC. ' +
      'An owner names its agent by agent_id or by the vault. Nothing published can be changed: withdraw it, then publish again.',
    auth: 'account',
    scope: 'tx',
    limit: 'hub_write',
    http: 'POST /hub/gallery',
    idempotent: true,
    input: z
      .strictObject({
        type: listingType,
        title: label(80),
        summary: label(500),
        price_model: priceModel,
        price_cherry: z
          .int()
          .min(1)
          .max(1_000_000)
          .optional()
          .meta({ description: 'Cherry for each signal; exactly with paid_read' }),
        ref_vault_id: operatorVaultId.optional(),
        agent_id: accountId.optional().meta({ description: 'For an owner: which paired agent publishes' }),
        editable_params: givenParams.optional(),
        template: givenTemplate.optional(),
        cited: z.array(z.strictObject(citedClaim.shape)).max(CITED_MAX).optional(),
      })
      .meta({
        example: {
          type: 'strategy_template',
          title: 'Basis, quietly',
          summary: 'Small trades at the test venue, closed within a day.',
          price_model: 'free',
          template: { markets: ['testvenue'], per_tx_cap_usdc: '5', daily_cap_usdc: '15', stop_line_usdc: '40' },
          editable_params: [
            { key: 'per_tx_cap_usdc', title: 'Per trade', unit: 'usdc', min: '1', max: '10', step: '1', default: '5' },
          ],
        },
      }),
    success: { 201: z.object({ ok: okTrue, listing: listingView }) },
    refusals: [invalidListing, notOnAllowlist, vaultTaken, listingLimit],
  }),
  withdrawListing: operation({
    summary: 'Withdraw a listing of yours',
    description:
      'It can no longer be adopted or hired, and its follows end; reads of signals go on. Nothing is deleted. Withdrawing it again answers the same.',
    auth: 'account',
    limit: 'hub_write',
    http: 'POST /hub/gallery/{listing_id}/withdraw',
    input: z.strictObject({ listing_id: listingId }),
    success: { 200: z.object({ ok: okTrue, listing: listingView }) },
    refusals: [unknownListing, notYourListing],
  }),
} as const

/** Jobs on listings. */
export const listingJobs = {
  tendListings: job({
    summary:
      'Withdraw listings whose operator has ended, and suspend or restore those whose seller broke or fulfils the rule for sellers',
    everyMs: 60_000,
    wokenBy: ['removeOperator', 'followOperatorWallets', 'hallSnapshot'],
    max: 10_000,
    budgetSec: 30,
  }),
} as const
