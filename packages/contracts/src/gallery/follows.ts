import { event, job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, instant, okTrue, dryRun, ranDry } from '../common.ts'
import { count, publicId, signedUsdc, usdc } from '../mandates/fields.ts'
import { unknownMandate, wrongState } from '../mandates/refusals.ts'
import { followEndReason, followId, verdictKind } from './gaps.ts'
import { doorLocked, listingSuspended, listingWithdrawn, unknownListing } from './listing-refusals.ts'
import { listingId } from './listings.ts'
import { operatorVaultId } from './operators.ts'

/** Days of signals that a replay covers. */
export const REPLAY_DAYS = 90
/** A signal this old is replayed for everybody; a newer one of a paid listing for those who paid for it. */
export const REPLAY_FREE_DAYS = 30
/** Most signals that a replay covers, the newest ones. */
export const REPLAY_SIGNALS_MAX = 5_000

export const notRunner = refusal('hub_not_runner', {
  status: 409,
  title: 'The agent is not the house runner',
  meaning: 'Signals are followed by the house runner, and the agent of the mandate is another one.',
  fix: 'Sign a mandate whose agent is the house runner: POST /hub/gallery/{listing_id}/adopt with agent house makes its draft.',
  details: z.object({ runner_agent_id: accountId.nullable() }),
})
export const followExists = refusal('hub_follow_exists', {
  status: 409,
  title: 'The mandate follows another listing',
  meaning: 'A mandate follows one listing at a time.',
  fix: 'End the present follow with POST /hub/gallery/{listing_id}/release, then hire again.',
  details: z.object({ listing_id: listingId }),
})
export const notHirable = refusal('hub_listing_not_hirable', {
  status: 409,
  title: 'The listing has no signals to follow',
  meaning: 'Only a signal_subscription and a strategy of the house can be hired.',
  fix: 'Adopt a strategy_template with POST /hub/gallery/{listing_id}/adopt.',
})

/** A follow as its owner and the agent of its mandate see it. */
export const followView = z
  .object({
    follow_id: followId,
    mandate_id: publicId.meta({ description: 'The same as public_id' }),
    public_id: publicId,
    listing_id: listingId,
    vault_id: operatorVaultId,
    network: z.literal('testnet'),
    account: z.string().max(42).meta({ description: 'The account at the venue that the leg is bound to' }),
    after_seq: count.meta({ description: 'Newest signal at the hire; it and earlier ones are never followed' }),
    hired_at: instant,
    ended_at: instant.nullable(),
    end_reason: followEndReason.nullable(),
  })
  .meta({ title: 'Follow' })
export type FollowView = z.output<typeof followView>

const verdictView = z.object({
  seq: count,
  verdict: verdictKind,
  reason: z.string().max(60).nullable(),
  gap_bps: z.number().nullable().meta({
    description: 'How much worse than the price of the signal; below zero: better; null if nothing was executed',
  }),
  delay_ms: count.nullable(),
  decided_at: instant,
})
export type VerdictView = z.output<typeof verdictView>

const input = z
  .strictObject({
    listing_id: listingId,
    mandate_id: publicId.optional().meta({ description: 'Give mandate_id or public_id' }),
    public_id: publicId.optional().meta({ description: 'The same' }),
  })
  .meta({ example: { mandate_id: `mdt_${'5a'.repeat(16)}` } })

/** Hire, release and replay of listings. */
export const followOperations = {
  readFollow: operation({
    summary: 'Read what the mandate of yours follows, and what the house runner decided on its signals',
    description: 'The newest follow with its newest verdicts. No market or side is in it.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{mandate_id}/follow',
    input: z.strictObject({ mandate_id: publicId }),
    success: {
      200: z.object({
        follow: followView.nullable().meta({ description: 'Null if the mandate never followed a listing' }),
        verdicts: z.array(verdictView).max(100).meta({ description: 'Newest first' }),
      }),
    },
    refusals: [unknownMandate],
  }),
  replayListing: operation({
    summary: 'Replay the signals of a listing under the limits of a mandate of yours',
    description:
      'Replays the last 90 days with the budget, caps, stop line and fees of the mandate; each order is filled at the price of its signal, worse by the median gap of followers. ' +
      'Totals only, over signals of a free listing, those that you or the owner paid for, and those older than 30 days. A replay is no forecast.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/gallery/{listing_id}/replay',
    input,
    success: {
      200: z.object({
        listing_id: listingId,
        mandate_id: publicId.meta({ description: 'The same as public_id' }),
        public_id: publicId,
        from: instant.nullable().meta({ description: 'First signal; null without one' }),
        to: instant.nullable(),
        signals: count.meta({ description: 'Signals that were replayed' }),
        signals_left_out: count.meta({ description: 'Newer signals of a paid listing that nobody of you paid for' }),
        followed: count,
        skipped: count.meta({ description: 'Because of a limit or a minimum' }),
        orders: count,
        start_usdc: usdc,
        end_usdc: signedUsdc.meta({ description: 'After all fees, positions at the newest recorded prices' }),
        change_bps: z.int(),
        max_drawdown_bps: z.int(),
        traded_usdc: usdc,
        venue_fees_usdc: usdc,
        performance_fee_usdc: usdc,
        gap_bps: z
          .number()
          .nullable()
          .meta({ description: 'Median gap of followers; null: none is recorded, and 0 is used' }),
        gap_cost_usdc: signedUsdc,
        stopped: z.boolean().meta({ description: 'Whether the stop line of the mandate ended the replay' }),
      }),
    },
    refusals: [common.invalidRequest, unknownListing, notHirable, unknownMandate],
  }),
  hireListing: operation({
    summary: 'Let the house runner follow the signals of a listing with a mandate of yours',
    description:
      'The mandate is signed or working and its agent is the house runner. Signals published before the hire are never followed. ' +
      'pending_leg: the leg is not bound yet and nothing was stored; repeat after POST hl-leg/bind. The same hire again answers the same.',
    auth: 'account',
    scope: 'tx',
    limit: 'hub_write',
    http: 'POST /hub/gallery/{listing_id}/hire',
    tool: 'hub_gallery_hire',
    toolTitle: 'Follow a listing',
    mayLose:
      'Nothing at once; the house runner then trades within the limits of the mandate, down to its stop line, until you release the listing.',
    effect: 'money',
    idempotent: true,
    input: input.extend({ dry_run: dryRun }).meta({ example: { mandate_id: `mdt_${'5a'.repeat(16)}` } }),
    success: {
      200: z.object({
        ok: okTrue,
        dry_run: ranDry,
        status: z.enum(['following', 'pending_leg']),
        follow_id: followId.nullable().meta({ description: 'Null for pending_leg and in a dry run' }),
        follow: followView.nullable().meta({ description: 'Null for pending_leg and in a dry run' }),
      }),
    },
    refusals: [
      common.invalidRequest,
      unknownListing,
      listingWithdrawn,
      listingSuspended,
      doorLocked,
      notHirable,
      unknownMandate,
      notRunner,
      wrongState,
      followExists,
    ],
  }),
  releaseListing: operation({
    summary: 'End the follow of a listing by a mandate of yours',
    description:
      'Signals from now on are not followed. Positions stay as they are; an order on its way is completed. Repeating changes nothing.',
    auth: 'account',
    scope: 'tx',
    limit: 'hub_exit',
    http: 'POST /hub/gallery/{listing_id}/release',
    tool: 'hub_gallery_release',
    toolTitle: 'Stop following a listing',
    idempotent: true,
    input,
    success: {
      200: z.object({
        ok: okTrue,
        follow: followView.nullable().meta({ description: 'Null if the mandate never followed this listing' }),
      }),
    },
    refusals: [unknownMandate, common.invalidRequest],
  }),
} as const

/** Facts of follows. */
export const followEvents = {
  followEnded: event({
    summary: 'The house ended the follow of a listing; positions stay as they are',
    payload: z.object({
      follow_id: followId,
      public_id: publicId,
      owner_id: accountId,
      listing_id: listingId,
      listing_title: z.string().max(80),
      reason: followEndReason,
      at: instant,
    }),
  }),
} as const

export const followJobs = {
  endFollows: job({
    summary: 'End follows whose listing, operator, mandate or leg has ended',
    everyMs: 30_000,
    wokenBy: ['withdrawListing', 'removeOperator', 'tendListings'],
    max: 10_000,
    budgetSec: 30,
  }),
} as const
