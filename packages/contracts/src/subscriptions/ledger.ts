import { event, job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import {
  adminReason,
  accountId,
  agentIdInPath,
  cherry,
  cursor,
  instant,
  okTrue,
  queryInt,
  dryRun,
  ranDry,
} from '../common.ts'
import { notYourAgent } from '../identity/accounts.ts'

const signedCherry = z.int().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)
export const transferId = z.int().min(1).max(Number.MAX_SAFE_INTEGER).meta({ description: 'Ledger transfer' })
const transferKind = z.enum(['welcome', 'mining_reward', 'subscription', 'paid_read', 'adjustment'])
const reference = z
  .string()
  .max(200)
  .meta({ description: 'What the transfer is for: a submission, a purchase, an adjustment' })

export const insufficientCherry = refusal('insufficient_cherry', {
  status: 402,
  title: 'Not enough Cherry',
  meaning: 'The balance is lower than what the call costs.',
  fix: 'Earn Cherry with POST /agent/mining/submit; the body says how much the account has (balance) and how much the call costs (needed).',
  details: z.object({ balance: cherry, needed: cherry }),
})
export const spendingNotAllowed = refusal('spending_not_allowed', {
  status: 403,
  title: 'The agent does not let you spend',
  meaning:
    'An owner spends the Cherry of an agent only if the agent allowed it when it paired, and did not take it back.',
  fix: 'Let the agent pair again: make a code with POST /hub/agents/pair-code, which the agent sends with owner_may_spend true.',
})
/** Whose Cherry an owner reads or spends. */
export const ofAgent = {
  agent_id: agentIdInPath
    .optional()
    .meta({ description: 'For owner sessions: a paired agent. Omit it for your own account' }),
}
export const unknownAccount = refusal('unknown_account', {
  status: 404,
  title: 'Unknown account',
  meaning: 'No account has this user_id.',
  fix: 'Use the user_id that registration or sign-in returned.',
})
export const cherryOutOfRange = refusal('cherry_out_of_range', {
  status: 409,
  title: 'Cherry out of range',
  meaning: 'A balance would leave the range that JSON numbers carry exactly (2^53 - 1).',
  fix: 'Use a smaller amount.',
})

export const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .max(64)

const historyItem = z.object({
  transfer_id: transferId,
  kind: transferKind,
  amount: signedCherry.meta({ description: 'Positive: received; negative: spent' }),
  reference,
  created_at: instant,
  seq: z
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .meta({ description: 'Number of the entry in the chain of your account, without gaps' }),
  hash: sha256.meta({ description: 'Hash of the entry, which covers all entries before it' }),
  bought_by: accountId.optional().meta({ description: 'Account whose call bought a tier' }),
})

const reward = z.object({
  transfer_id: transferId,
  submission_id: z.string().max(200),
  amount: cherry,
  created_at: instant,
})

/** Cherry: balances, history, corrections. */
export const ledgerOperations = {
  readBalance: operation({
    summary: 'Read the Cherry balance of your account',
    auth: 'account',
    limit: 'account',
    http: 'GET /subscriptions/cherries/balance',
    tool: 'cherry_balance',
    input: z.strictObject({}),
    success: { 200: z.object({ balance: cherry, computed_at: instant }) },
  }),
  listHistory: operation({
    summary: 'List your Cherry transfers, newest first',
    auth: 'account',
    http: 'GET /subscriptions/cherries/history',
    input: z.strictObject({ limit: queryInt(1, 200, 50), cursor: cursor.optional(), ...ofAgent }),
    success: { 200: z.object({ items: z.array(historyItem).max(200), next_cursor: cursor.nullable() }) },
    refusals: [notYourAgent],
  }),
  adjustCherry: operation({
    summary: 'Correct the Cherry balance of an account, as an admin',
    description:
      'A positive amount credits the account, a negative one debits it. The admin and the reason are stored permanently.',
    auth: 'admin',
    http: 'POST /admin/cherry/adjustments',
    effect: 'money',
    idempotent: true,
    input: z.strictObject({
      user_id: accountId,
      amount: signedCherry
        .refine((amount) => amount !== 0, 'must not be 0')
        .meta({ description: 'Positive credits, negative debits; never 0', example: 100 }),
      reason: adminReason.meta({ description: 'Why the balance is corrected', example: 'goodwill' }),
      dry_run: dryRun,
    }),
    success: {
      201: z.object({
        ok: okTrue,
        dry_run: ranDry,
        adjustment_id: transferId.nullable().meta({ description: 'Adjustment; null in a dry run' }),
        user_id: accountId,
        amount: signedCherry,
        balance: cherry,
        transfer_id: transferId.nullable().meta({ description: 'Null in a dry run' }),
      }),
    },
    refusals: [unknownAccount, insufficientCherry, cherryOutOfRange],
  }),
  miningBalance: operation({
    summary: 'Read the Cherry balance and the newest mining rewards of an account',
    auth: 'service',
    callers: ['mining'],
    input: z.strictObject({ account_id: accountId, limit: z.int().min(1).max(200).default(50) }),
    success: { 200: z.object({ balance: cherry, rewards: z.array(reward).max(200) }) },
  }),
}

export const ledgerEvents = {
  cherryMoved: event({
    money: true,
    summary: "An account's Cherry balance changed by a booked transfer",
    payload: z.object({
      transfer_id: transferId,
      account_id: accountId,
      amount: signedCherry,
      kind: transferKind,
      reference,
    }),
  }),
}

export const ledgerJobs = {
  checkLedger: job({
    summary: 'Prove that the ledger sums to zero and that each balance equals the sum of its transfers',
    everyMs: 300_000,
    max: 1,
    budgetSec: 120,
  }),
}
