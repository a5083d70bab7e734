import { job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, cherry, common, instant } from '../common.ts'
import { refusalBlock } from '../mandates/verdict.ts'
import { insufficientCherry } from './ledger.ts'

/** First Cherry that an account ever spends: its welcome credit, of which sellers get nothing. */
export const UNSHARED_CHERRY = 10
/** Share of the seller in what is captured beyond that, in percent; rounded down. */
export const SELLER_PERCENT = 80
/** Items of one hold at most. */
export const HOLD_ITEMS_MAX = 200
/** Items that `readPaid` is asked about at most. */
export const PAID_ASKED_MAX = 5_000

export const mandateBudgetExceeded = refusal('mandate_budget_exceeded', {
  status: 403,
  title: 'Over the daily Cherry budget',
  meaning: "The paid read would pass the daily_cherry_budget of the agent's policy; nothing was charged.",
  fix: 'Read fewer items, repeat after refusal.resets_at, or ask the owner to raise the budget with PUT /hub/agents/{agent_id}/policy.',
  details: z.object({ refusal: refusalBlock }),
})
export const unknownHold = refusal('unknown_hold', {
  status: 404,
  title: 'Unknown hold',
  meaning: 'No hold has this hold_id.',
  fix: 'Use the hold_id that placeHold returned.',
})
const holdState = z.enum(['held', 'captured', 'released', 'expired'])
export const holdEnded = refusal('hold_ended', {
  status: 409,
  title: 'The hold has ended',
  meaning: 'The hold was released or has expired: its Cherry is back, and nothing was captured.',
  fix: 'Place a new hold.',
  details: z.object({ state: holdState }),
})

const holdId = z
  .string()
  .regex(/^hld_[a-z0-9]{20}$/)
  .max(24)
/** What is paid for, as the seller's service names it for ever: `opv_…:17`. */
const resource = z.string().min(1).max(100)
const resources = z.array(resource).max(HOLD_ITEMS_MAX)
const ended = z.object({
  hold_id: holdId,
  state: holdState,
  captured: cherry.meta({ description: 'Cherry that the account paid' }),
  released: cherry.meta({ description: 'Cherry that it got back' }),
  resources: resources.meta({ description: 'What the hold paid for' }),
})

/** Cherry that is set aside for a paid read, then captured or released. */
export const holdOperations = {
  placeHold: operation({
    summary: 'Set Cherry of an account aside for items that it wants to read',
    description:
      'An item that the account has paid for is never charged again, and the party of the seller pays nothing. While a hold is open, the same account and key answer it again. A hold counts toward the daily budget of its UTC day.',
    auth: 'service',
    callers: ['gallery'],
    input: z.strictObject({
      key: z.string().min(1).max(200).meta({ description: 'Names the request; the same items have the same key' }),
      account_id: accountId.meta({ description: 'Who pays' }),
      seller_id: accountId.meta({ description: 'Agent account that gets the share of the seller' }),
      reference: z.string().min(1).max(100).meta({ description: 'What is sold, such as a listing' }),
      items: z
        .array(z.object({ resource, price: z.int().min(1).max(1_000_000) }))
        .min(1)
        .max(HOLD_ITEMS_MAX)
        .refine((items) => new Set(items.map((item) => item.resource)).size === items.length, 'name each item once'),
      ttl_sec: z.int().min(5).max(600).default(60).meta({ description: 'After this time the Cherry goes back' }),
      dry_run: z.boolean().default(false).meta({ description: 'Judge and write nothing' }),
    }),
    success: {
      200: z.object({
        hold: z
          .object({ hold_id: holdId, amount: cherry, expires_at: instant })
          .nullable()
          .meta({ description: 'null: nothing is due, or dry_run' }),
        due: cherry.meta({ description: 'Price of the items that are due' }),
        captured: cherry.meta({ description: 'What holds of the same key have captured for these items before' }),
        items: z
          .array(z.object({ resource, status: z.enum(['free', 'paid', 'due']) }))
          .max(HOLD_ITEMS_MAX)
          .meta({ description: 'free: the account belongs to the party of the seller; paid: paid before' }),
      }),
    },
    refusals: [insufficientCherry, mandateBudgetExceeded, common.idempotencyMismatch],
  }),
  captureHold: operation({
    summary: 'Charge what was read of a hold, and give the rest back',
    description:
      'Ends the hold. Items that the account paid for meanwhile are not charged. Repeating it answers the first outcome, whatever it names.',
    auth: 'service',
    callers: ['gallery'],
    input: z.strictObject({ hold_id: holdId, resources: resources.min(1) }),
    success: { 200: ended },
    refusals: [unknownHold, holdEnded],
  }),
  releaseHold: operation({
    summary: 'Give the Cherry of a hold back',
    description: 'A hold that has ended stays as it ended, and its end is answered.',
    auth: 'service',
    callers: ['gallery'],
    input: z.strictObject({ hold_id: holdId }),
    success: { 200: ended },
    refusals: [unknownHold],
  }),
  readPaid: operation({
    summary: 'Tell which items at least one of these accounts has paid for',
    auth: 'service',
    callers: ['gallery'],
    input: z.strictObject({
      account_ids: z.array(accountId).min(1).max(10),
      resources: z.array(resource).max(PAID_ASKED_MAX),
    }),
    success: { 200: z.object({ resources: z.array(resource).max(PAID_ASKED_MAX) }) },
  }),
} as const

export const holdJobs = {
  expireHolds: job({
    summary: 'Give the Cherry of expired holds back',
    everyMs: 10_000,
    max: 500,
    budgetSec: 30,
  }),
} as const
