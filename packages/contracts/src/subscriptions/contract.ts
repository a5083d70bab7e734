import { contract, event, job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, cherry, cursor, instant, okTrue, queryInt } from '../common.ts'
import { feedEvents, feedJobs, feedOperations } from './feeds.ts'

const tier = z.int().min(0).max(2).meta({ description: 'Tier, 0 = Free', example: 1 })
const tierName = z.enum(['free', 'tier_1', 'tier_2'])
const paidTier = z.union([z.literal(1), z.literal(2)]).meta({ description: 'Tier to buy', example: 1 })
const months = z.int().min(1).max(12).meta({ description: 'Months of 30 days', example: 1 })
const signedCherry = z.int().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)
const seconds = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
const count = z.int().min(0).max(1_000_000)
const transferId = z.int().min(1).max(Number.MAX_SAFE_INTEGER).meta({ description: 'Ledger transfer' })
const transferKind = z.enum(['welcome', 'mining_reward', 'subscription', 'paid_read', 'adjustment'])
const reference = z
  .string()
  .max(200)
  .meta({ description: 'What the transfer is for: a submission, a purchase, an adjustment' })

export const insufficientCherry = refusal('insufficient_cherry', {
  status: 402,
  title: 'Not enough Cherry',
  meaning: 'The balance is lower than what the call takes.',
  fix: 'Earn Cherry with POST /agent/mining/submit; the body says how much is there (balance) and how much it takes (needed).',
  details: z.object({ balance: cherry, needed: cherry }),
})
export const downgradeNotPossible = refusal('downgrade_not_possible', {
  status: 409,
  title: 'A higher tier is running',
  meaning: 'A lower tier cannot be bought while a higher one runs.',
  fix: 'Extend the running tier, or buy the lower one after ends_at.',
  details: z.object({ tier, ends_at: instant }),
})
export const unknownAccount = refusal('unknown_account', {
  status: 404,
  title: 'Unknown account',
  meaning: 'No account has this user_id.',
  fix: 'Use the user_id that registration or sign-in answered.',
})
export const cherryOutOfRange = refusal('cherry_out_of_range', {
  status: 409,
  title: 'Cherry out of range',
  meaning: 'A balance would leave the range that JSON numbers carry exactly (2^53 - 1).',
  fix: 'Use a smaller amount.',
})

const quote = {
  tier: paidTier,
  months,
  action: z
    .enum(['start', 'extend', 'upgrade'])
    .meta({ description: 'What the purchase does to the running subscription' }),
  price: cherry.meta({ description: 'Price of the tier for these months' }),
  credit: cherry.meta({
    description: 'floor(paid × unused seconds ÷ bought seconds) of the running lower tier; 0 unless upgrading',
  }),
  charge: cherry.meta({ description: 'Cherry taken: price - credit, at least 0' }),
  leftover: cherry.meta({ description: 'Credit above the price; it becomes time of the new tier' }),
  leftover_seconds: seconds.meta({ description: 'floor(leftover × 2 592 000 ÷ monthly price)' }),
  started_at: instant,
  ends_at: instant,
}

const credit = z
  .object({ paid: cherry, unused_seconds: seconds, bought_seconds: seconds })
  .meta({ description: 'The running lower tier that is credited' })

const historyItem = z.object({
  transfer_id: transferId,
  kind: transferKind,
  amount: signedCherry.meta({ description: 'Positive: received; negative: spent' }),
  reference,
  created_at: instant,
})

const reward = z.object({
  transfer_id: transferId,
  submission_id: z.string().max(200),
  amount: cherry,
  created_at: instant,
})

/** The Cherry ledger, the tiers that are bought with it, and the feeds. */
export const subscriptions = contract('subscriptions', {
  title: 'Cherry ledger, tiers and feeds',
  consumes: ['identity.agentRegistered', 'mining.payoutReleased', 'market-data.feedItemMade'],
  operations: {
    ...feedOperations,
    subscribe: operation({
      summary: 'Buy or extend a tier with Cherry',
      description:
        'Months have 30 days and run from the moment of payment. The running tier is extended; a higher one replaces it and what is unused is credited. Tier and Cherry move together or not at all.',
      auth: 'account',
      limit: 'account',
      http: 'POST /subscriptions/cherries/subscribe',
      idempotent: true,
      changesCaller: true,
      input: z.strictObject({ tier: paidTier, months }),
      success: {
        201: z.object({
          ok: okTrue,
          ...quote,
          tier_name: tierName,
          balance: cherry,
          transfer_id: transferId.nullable().meta({ description: 'Null when the credit covered the price' }),
        }),
      },
      refusals: [insufficientCherry, downgradeNotPossible],
    }),
    previewUpgrade: operation({
      summary: 'See what a tier would cost now, with the arithmetic',
      auth: 'account',
      http: 'GET /subscriptions/cherries/upgrade-preview',
      input: z.strictObject({
        tier: queryInt(1, 2, 2, 'Tier to buy'),
        months: queryInt(1, 12, 1, 'Months of 30 days'),
      }),
      success: {
        200: z.object({
          ...quote,
          current_tier: tier,
          current_ends_at: instant.nullable(),
          credit_of: credit.nullable().meta({ description: 'Terms of the credit; null unless upgrading' }),
          balance: cherry,
          affordable: z.boolean(),
          computed_at: instant,
        }),
      },
      refusals: [downgradeNotPossible],
    }),
    readStatus: operation({
      summary: 'Read your subscription, its limits and their use',
      auth: 'account',
      limit: 'account',
      http: 'GET /subscriptions/status',
      input: z.strictObject({}),
      success: {
        200: z.object({
          tier,
          tier_name: tierName,
          status: z.enum(['free', 'active', 'lapsed']),
          started_at: instant.nullable(),
          ends_at: instant.nullable(),
          seconds_left: seconds,
          requests_per_day: count,
          targets: z
            .object({ limit: count, used: count.nullable() })
            .meta({ description: 'Priority targets; used is null while unknown' }),
          pdf_usage: z
            .object({ limit: count, used: count.nullable(), resets_at: instant })
            .meta({ description: 'PDF reports of the UTC month; used is null while unknown' }),
        }),
      },
    }),
    readBalance: operation({
      summary: 'Read your Cherry balance',
      auth: 'account',
      limit: 'account',
      http: 'GET /subscriptions/cherries/balance',
      input: z.strictObject({}),
      success: { 200: z.object({ balance: cherry, computed_at: instant }) },
    }),
    listHistory: operation({
      summary: 'List your Cherry transfers, newest first',
      auth: 'account',
      http: 'GET /subscriptions/cherries/history',
      input: z.strictObject({ limit: queryInt(1, 200, 50), cursor: cursor.optional() }),
      success: { 200: z.object({ items: z.array(historyItem).max(200), next_cursor: cursor.nullable() }) },
    }),
    adjustCherry: operation({
      summary: "Change an account's Cherry balance by hand",
      description: 'Positive gives, negative takes. Who did it and why is kept for good.',
      auth: 'admin',
      http: 'POST /admin/cherry/adjustments',
      idempotent: true,
      input: z.strictObject({
        user_id: accountId,
        amount: signedCherry
          .refine((amount) => amount !== 0, 'must not be 0')
          .meta({ description: 'Positive gives, negative takes; never 0', example: 100 }),
        reason: z
          .string()
          .min(1)
          .max(500)
          .refine(
            (text) => text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && text.trim() !== '',
            'must be plain text on one line',
          ),
      }),
      success: {
        201: z.object({
          ok: okTrue,
          adjustment_id: transferId.meta({ description: 'Adjustment' }),
          user_id: accountId,
          amount: signedCherry,
          balance: cherry,
          transfer_id: transferId,
        }),
      },
      refusals: [unknownAccount, insufficientCherry, cherryOutOfRange],
    }),
    resolveTiers: operation({
      summary: 'Tell the tiers of accounts, now',
      auth: 'service',
      callers: ['gateway', 'mining', 'market-data', 'mandates'],
      input: z.strictObject({ account_ids: z.array(accountId).min(1).max(500) }),
      success: {
        200: z.object({
          items: z.array(
            z.object({
              account_id: accountId,
              tier: z.union([z.literal(0), z.literal(1), z.literal(2)]),
              ends_at: instant.nullable(),
            }),
          ),
        }),
      },
    }),
    miningBalance: operation({
      summary: 'Tell the Cherry balance and the newest mining rewards of an account',
      auth: 'service',
      callers: ['mining'],
      input: z.strictObject({ account_id: accountId, limit: z.int().min(1).max(200).default(50) }),
      success: { 200: z.object({ balance: cherry, rewards: z.array(reward).max(200) }) },
    }),
  },
  events: {
    ...feedEvents,
    tierChanged: event({
      summary: 'An account has another tier or another end of it',
      payload: z.object({
        account_id: accountId,
        previous_tier: tier,
        tier,
        ends_at: instant.nullable(),
        cause: z.enum(['start', 'extend', 'upgrade', 'lapse']),
      }),
    }),
    cherryMoved: event({
      summary: "An account's Cherry balance changed by a booked transfer",
      payload: z.object({
        transfer_id: transferId,
        account_id: accountId,
        amount: signedCherry,
        kind: transferKind,
        reference,
      }),
    }),
  },
  jobs: {
    ...feedJobs,
    lapse: job({ summary: 'Lapse subscriptions that have ended to Free', everyMs: 5_000, max: 500, budgetSec: 30 }),
    checkLedger: job({
      summary: 'Prove that the ledger sums to zero and balances equal their transfers',
      everyMs: 300_000,
      max: 1,
      budgetSec: 120,
    }),
  },
})
