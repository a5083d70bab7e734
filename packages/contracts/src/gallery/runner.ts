import { job } from '@svc/contract'

export const runnerJobs = {
  followSignals: job({
    summary: 'Bring each signal of each follow to its verdict, with orders unless it is a dry run',
    everyMs: 5_000,
    wokenBy: ['publishSignal', 'hireListing'],
    dryRun: 'houseFollowDryRun',
    max: 200_000,
    budgetSec: 120,
  }),
  markShadowBooks: job({
    summary: 'Value the shadow books of the house runner at the prices of the venue',
    everyMs: 600_000,
    max: 1_000,
    budgetSec: 60,
  }),
} as const
