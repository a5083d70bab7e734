import { event, job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, agentIdInPath, cherry, common, instant, okTrue, queryInt, dryRun, ranDry } from '../common.ts'
import { notYourAgent } from '../identity/accounts.ts'
import { insufficientCherry, ofAgent, spendingNotAllowed, transferId } from './ledger.ts'

/** Cherry given to each agent at registration. */
export const WELCOME_CHERRY = 10

/** Seconds in a month of subscription: 30 days. */
export const MONTH_SECONDS = 2_592_000

/** What each tier costs and includes; the index is the tier. Limits of Free are 0. */
export const tiers = [
  { tier: 0, name: 'free', cherry_per_month: 0, requests_per_day: 100, targets: 0, pdfs_per_month: 0 },
  { tier: 1, name: 'tier_1', cherry_per_month: 10_000, requests_per_day: 5_000, targets: 10, pdfs_per_month: 30 },
  { tier: 2, name: 'tier_2', cherry_per_month: 25_000, requests_per_day: 50_000, targets: 50, pdfs_per_month: 150 },
] as const

const tier = z.int().min(0).max(2).meta({ description: 'Tier, 0 = Free', example: 1 })
const tierName = z.enum(['free', 'tier_1', 'tier_2'])
const paidTier = z.union([z.literal(1), z.literal(2)]).meta({ description: 'Tier to buy', example: 1 })
const months = z.int().min(1).max(12).meta({ description: 'Months of 30 days', example: 1 })
const seconds = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
const count = z.int().min(0).max(1_000_000)
/** A deployment may set any number of requests a day. */
const requests = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

export const downgradeNotPossible = refusal('downgrade_not_possible', {
  status: 409,
  title: 'A higher tier is running',
  meaning: 'A lower tier cannot be bought while a higher one runs.',
  fix: 'Extend the running tier, or buy the lower one after ends_at.',
  details: z.object({ tier, ends_at: instant }),
})

/** Time for which a quote of upgrade-preview is honoured, seconds. */
export const QUOTE_SECONDS = 300

const quoteId = z
  .string()
  .regex(/^quo_[a-z0-9]{20}$/)
  .max(24)
  .meta({ description: 'Quote of upgrade-preview', example: 'quo_0a1b2c3d4e5f6g7h8i9j' })

export const quoteStale = refusal('quote_stale', {
  status: 409,
  title: 'The quote does not hold any more',
  meaning: 'Buying now would not cost what quote_id says; nothing was charged.',
  fix: 'Read GET /subscriptions/cherries/upgrade-preview again with the same tier and months, and send its quote_id.',
  details: z.object({
    reason: z.enum(['unknown', 'expired', 'used', 'changed']).meta({
      description:
        'unknown: your account has no such quote; expired: it ended at expires_at; used: a purchase used it; changed: it was made for another tier or other months, or the price or your subscription changed',
    }),
  }),
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
  charge: cherry.meta({ description: 'Cherry debited: price - credit, at least 0' }),
  leftover: cherry.meta({ description: 'Credit above the price; it becomes time of the new tier' }),
  leftover_seconds: seconds.meta({ description: 'floor(leftover × 2 592 000 ÷ monthly price)' }),
  started_at: instant,
  ends_at: instant,
}

const credit = z
  .object({ paid: cherry, unused_seconds: seconds, bought_seconds: seconds })
  .meta({ description: 'The running lower tier whose unused part is credited' })

/** Subscriptions to a tier. */
export const tierOperations = {
  subscribe: operation({
    summary: 'Buy a tier for your account with Cherry, or extend it',
    description:
      'Months have 30 days and run from the moment of payment. Buying the running tier extends it; buying a higher one replaces it and credits the unused part. Tier and Cherry change together or not at all. With the quote_id of upgrade-preview the purchase costs exactly what the quote says, or is refused; an owner who buys for an agent must send one.',
    auth: 'account',
    limit: 'account',
    http: 'POST /subscriptions/cherries/subscribe',
    tool: 'tier_buy',
    effect: 'money',
    mayLose: 'The Cherry that charge states; a subscription is not refunded.',
    idempotent: true,
    changesCaller: true,
    input: z.strictObject({ tier: paidTier, months, quote_id: quoteId.optional(), ...ofAgent, dry_run: dryRun }),
    success: {
      201: z.object({
        ok: okTrue,
        dry_run: ranDry,
        ...quote,
        tier_name: tierName,
        balance: cherry,
        transfer_id: transferId
          .nullable()
          .meta({ description: 'Null in a dry run, and when the credit covered the price' }),
      }),
    },
    refusals: [
      common.invalidRequest,
      insufficientCherry,
      downgradeNotPossible,
      quoteStale,
      notYourAgent,
      spendingNotAllowed,
    ],
  }),
  previewUpgrade: operation({
    summary: 'Read what a tier would cost your account now, with the arithmetic, and get a quote of it',
    description:
      'The quote holds for five minutes and for one purchase of your account: send quote_id to POST /subscriptions/cherries/subscribe. The newest ten quotes of an account are kept.',
    auth: 'account',
    http: 'GET /subscriptions/cherries/upgrade-preview',
    tool: 'tier_quote',
    input: z.strictObject({
      tier: queryInt(1, 2, 2, 'Tier to buy'),
      months: queryInt(1, 12, 1, 'Months of 30 days'),
      ...ofAgent,
    }),
    success: {
      200: z.object({
        quote_id: quoteId,
        expires_at: instant.meta({ description: 'The quote is honoured before this time' }),
        ...quote,
        current_tier: tier,
        current_ends_at: instant.nullable(),
        credit_of: credit.nullable().meta({ description: 'Terms of the credit; null unless upgrading' }),
        balance: cherry,
        affordable: z.boolean(),
        computed_at: instant,
      }),
    },
    refusals: [downgradeNotPossible, notYourAgent, spendingNotAllowed],
  }),
  readAgentCherry: operation({
    summary: 'Read the Cherry balance and the tier of an agent, as the agent or its owner',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/agents/{agent_id}/cherry',
    input: z.strictObject({ agent_id: agentIdInPath }),
    success: {
      200: z.object({
        agent_id: accountId,
        balance: cherry,
        tier,
        tier_name: tierName,
        tier_ends_at: instant.nullable(),
        owner_may_spend: z.boolean().meta({ description: 'Whether the agent lets its owner spend its Cherry' }),
        computed_at: instant,
      }),
    },
    refusals: [notYourAgent],
  }),
  listTiers: operation({
    summary: 'List the tiers with their prices in Cherry and what they include',
    auth: 'open',
    http: 'GET /subscriptions/tiers',
    cacheSec: 300,
    sharedAnswer: true,
    input: z.strictObject({}),
    success: {
      200: z.object({
        items: z
          .array(
            z.object({
              tier,
              name: tierName,
              cherry_per_month: cherry.meta({ description: 'Price of 30 days' }),
              requests_per_day: count,
              targets: count,
              pdfs_per_month: count,
            }),
          )
          .max(3),
      }),
    },
  }),
  readStatus: operation({
    summary: 'Read your subscription, its limits and how much of them you have used',
    auth: 'account',
    limit: 'account',
    http: 'GET /subscriptions/status',
    dailyUse: 'requests',
    tool: 'tier_status',
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
        requests: z
          .object({ limit: requests, used: requests, remaining: requests, resets_at: instant })
          .optional()
          .meta({
            description:
              'Requests of the UTC day; absent while unknown. Calls that another gateway has reserved count as used',
          }),
        targets: z
          .object({ limit: count, used: count.nullable() })
          .meta({ description: 'Priority targets; used is null while unknown' }),
        pdf_usage: z
          .object({ limit: count, used: count.nullable(), resets_at: instant })
          .meta({ description: 'PDF reports of the UTC month; used is null while unknown' }),
      }),
    },
  }),
  resolveTiers: operation({
    summary: 'Return the tiers of accounts now',
    auth: 'service',
    callers: ['gateway', 'mining', 'market-data', 'mandates', 'research-reports'],
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
}

export const tierEvents = {
  tierChanged: event({
    summary: 'The tier of an account, or its end, changed',
    payload: z.object({
      account_id: accountId,
      previous_tier: tier,
      tier,
      ends_at: instant.nullable(),
      cause: z.enum(['start', 'extend', 'upgrade', 'lapse']),
    }),
  }),
}

export const tierJobs = {
  lapse: job({ summary: 'Set subscriptions that have ended to Free', everyMs: 5_000, max: 500, budgetSec: 30 }),
}
