import { event, job, operation, setting } from '@svc/contract'
import { z } from 'zod'
import { accountId, cherry, instant, tokenId, utcDay } from '../common.ts'
import { fieldName, payout, points, submissionId } from './fields.ts'

/** Rewards for approved submissions. */
export const payoutOperations = {
  miningBalance: operation({
    summary: 'Read your Cherry balance and recent mining rewards',
    auth: 'account',
    input: z.strictObject({}),
    success: {
      200: z.object({
        balance: z.int().min(0).meta({ description: 'Cherry on the ledger now' }),
        queued: cherry.meta({ description: 'Cherry of approved entries that the ledger has not booked yet' }),
        daily_limit: cherry.meta({
          description: 'Cherry paid to you for mining per UTC day; a single larger reward is paid on a day of its own',
        }),
        recent_rewards: z
          .array(
            z.object({
              submission_id: submissionId,
              token_id: tokenId,
              field_name: fieldName,
              points,
              cherry,
              approved_at: instant,
              payout,
            }),
          )
          .max(50),
      }),
    },
    http: 'GET /agent/mining/balance',
    limit: 'account',
    tool: 'mining_balance',
    toolTitle: 'Your Cherry balance',
  }),
}

export const payoutEvents = {
  payoutReleased: event({
    money: true,
    summary: 'A mining reward is due; the ledger books it once per submission',
    payload: z.object({ submission_id: submissionId, account_id: accountId, cherry, pay_on: utcDay }),
  }),
}

export const payoutJobs = {
  payoutsOfTheDay: job({
    summary: 'Release the queued payouts that fit into the daily limit of their accounts',
    everyMs: 60_000,
    wokenBy: ['reviewSubmission', 'subscriptions.cherryMoved'],
    max: 500,
    budgetSec: 30,
  }),
}

export const payoutSettings = {
  dailyLimit: setting({
    env: 'SVC_MINING_DAILY_CHERRY_LIMIT',
    schema: z.coerce.number().int().min(1).max(1_000_000_000),
    default: '500',
    doc: 'Cherry paid for mining per account and UTC day; rewards beyond it wait, undivided, for the next day.',
  }),
}
