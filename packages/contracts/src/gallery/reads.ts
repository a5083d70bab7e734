import { job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { cherry, common, instant, queryInt } from '../common.ts'
import { mandateBudgetExceeded } from '../subscriptions/holds.ts'
import { insufficientCherry } from '../subscriptions/ledger.ts'
import { unknownListing } from './listing-refusals.ts'
import { listingId } from './listings.ts'
import { operatorVaultId } from './operators.ts'
import { signalView } from './signals.ts'

/** A signal that became readable later than this after its record is never charged. */
export const READABLE_WITHIN_MS = 60_000

/** Listings that `listPaidReads` names at most. */
const PAID_READS_MAX = 100
const paidRead = z.object({ listing_id: listingId, title: z.string().max(80), price_cherry: cherry })

/** Time for which an offer can be paid, seconds; each unpaid read of the same page starts it again. */
export const OFFER_SECONDS = 60

const offerId = z
  .string()
  .regex(/^ofr_[a-z0-9]{20}$/)
  .max(24)

/** An offer of x402 (version 2) with the scheme `cherry-credit`: the account of the request pays with its Cherry. */
export const cherryOffer = z
  .object({
    scheme: z.literal('cherry-credit'),
    network: z.literal('svc:ledger'),
    asset: z.literal('cherry'),
    amount: z
      .string()
      .regex(/^[1-9]\d{0,15}$/)
      .max(16)
      .meta({ description: 'Cherry, a whole number' }),
    payTo: z.literal('svc:revenue'),
    maxTimeoutSeconds: z.literal(OFFER_SECONDS),
    extra: z.object({
      offer_id: offerId,
      resource_hash: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .max(64)
        .meta({ description: 'SHA-256 of "GET /hub/gallery/{listing_id}/signals?since={since}&limit={limit}"' }),
    }),
  })
  .meta({ description: 'accepts[0] of the header PAYMENT-REQUIRED' })

export const paymentRequired = refusal('payment_required', {
  status: 402,
  title: 'This read costs Cherry',
  meaning: 'The page has signals that your account has not paid for; nothing was charged.',
  fix: 'Repeat the request with offer_id from offer.extra, or with an x402 client that has the scheme cherry-credit; a smaller limit costs less.',
  details: z.object({
    reason: z.enum(['unpaid', 'offer_unknown', 'offer_expired', 'offer_differs']).meta({
      description:
        'unpaid: no offer was sent; offer_unknown: your account has no such offer; offer_expired: it ended; offer_differs: it is for another page',
    }),
    offer: cherryOffer,
    expires_at: instant.meta({ description: 'The offer can be paid before this time' }),
  }),
})

const seq = z.int().min(0).max(2_147_483_647)

/** Reads of signals, which may cost Cherry. */
export const readOperations = {
  readSignals: operation({
    summary: 'Read signals of a listing after a cursor, and pay for those that are new to you',
    description:
      'A signal of a paid listing costs price_cherry once: what you have paid for is free for ever. A page with signals that you have not paid for answers 402 with an offer; the same request with its offer_id pays it. An offer holds for a minute, for your account and this page, and is charged once, however often it is sent: repetitions get the same answer. ' +
      'The seller, its owner and their agents pay nothing, nor does anybody for a signal that our delay made readable more than 60 s after recorded_at. ' +
      'A page that costs Cherry needs a key with scope write. With dry_run=1 the answer has charged_cherry without items, and nothing is charged.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/gallery/{listing_id}/signals',
    tool: 'hub_gallery_signals',
    effect: 'money',
    mayLose: 'The Cherry that the offer states; a signal that was paid for is free for ever.',
    payment: { offer: 'offer_id', charged: 'charged_cherry' },
    input: z.strictObject({
      listing_id: listingId,
      offer_id: offerId
        .optional()
        .meta({ description: 'Pays this offer of a 402; the header PAYMENT-SIGNATURE of x402 brings it too' }),
      since: queryInt(0, 2_147_483_647, 0, 'Last seq you have seen; 0 for the first signal'),
      limit: queryInt(1, 100, 50, 'Signals of a page; a smaller page costs less'),
      dry_run: z.enum(['0', '1']).default('0').meta({ description: '1: say what the page would cost' }),
    }),
    success: {
      200: z.object({
        listing_id: listingId,
        vault_id: operatorVaultId,
        price_cherry: cherry.nullable().meta({ description: 'Price of a signal; null: free' }),
        charged_cherry: cherry.meta({ description: 'What this read charged, or would charge' }),
        items: z.array(signalView).max(100),
        next_since: seq.meta({ description: 'Send it as since in the next call' }),
        newest_seq: seq.meta({ description: 'seq of the newest signal; 0 before the first' }),
      }),
    },
    refusals: [unknownListing, common.missingScope, paymentRequired, insufficientCherry, mandateBudgetExceeded],
  }),
  listPaidReads: operation({
    summary: 'List the live listings whose signals cost Cherry, newest first',
    auth: 'service',
    callers: ['mining'],
    input: z.strictObject({}),
    success: { 200: z.object({ items: z.array(paidRead).max(PAID_READS_MAX) }) },
  }),
} as const

export const readJobs = {
  noteReadable: job({
    summary: 'Note that paid reads can be served, so that signals which we made readable late stay free',
    everyMs: 20_000,
    max: 1,
    budgetSec: 15,
  }),
} as const
