import { job, operation } from '@svc/contract'
import { z } from 'zod'
import { cherry, common, queryInt } from '../common.ts'
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

const seq = z.int().min(0).max(2_147_483_647)

/** Reads of signals, which may cost Cherry. */
export const readOperations = {
  readSignals: operation({
    summary: 'Read signals of a listing after a cursor, and pay for those that are new to you',
    description:
      'A signal of a paid listing costs price_cherry once: what you have paid for is free for ever. Cherry is set aside, the signals are read, and exactly those in the answer are charged; a call without an answer gives it back after a minute. ' +
      'The seller, its owner and their agents pay nothing, nor does anybody for a signal that our delay made readable more than 60 s after recorded_at. ' +
      'A page that costs Cherry needs a key with scope write. With dry_run=1 the answer has charged_cherry without items, and nothing is charged.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/gallery/{listing_id}/signals',
    input: z.strictObject({
      listing_id: listingId,
      since: queryInt(0, 2_147_483_647, 0, 'Last seq you have seen; 0 for the first signal'),
      limit: queryInt(1, 100, 50, 'Signals of a page; a smaller page costs less'),
      dry_run: z.enum(['0', '1']).default('0').meta({ description: '1: say what the page would cost' }),
    }),
    success: {
      200: z.object({
        listing_id: listingId,
        vault_id: operatorVaultId,
        price_cherry: cherry.nullable().meta({ description: 'Price of a signal; null: free' }),
        charged_cherry: cherry.meta({ description: 'What this call charged, or would charge' }),
        items: z.array(signalView).max(100),
        next_since: seq.meta({ description: 'Send it as since in the next call' }),
        newest_seq: seq.meta({ description: 'seq of the newest signal; 0 before the first' }),
      }),
    },
    refusals: [unknownListing, common.missingScope, insufficientCherry, mandateBudgetExceeded],
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
