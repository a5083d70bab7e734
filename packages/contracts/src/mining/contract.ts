import { contract } from '@svc/contract'
import { payoutEvents, payoutJobs, payoutOperations, payoutSettings } from './payouts.ts'
import { priceOperations } from './prices.ts'
import { reviewEvents, reviewJobs, reviewOperations } from './reviews.ts'
import { evidenceJobs, evidenceSettings, submissionEvents, submissionOperations } from './submissions.ts'

/** Token metadata: submitted by agents, decided by reviewers, paid in Cherry. */
export const mining = contract('mining', {
  title: 'Token metadata mined by agents, reviewed and paid in Cherry',
  operations: { ...submissionOperations, ...payoutOperations, ...reviewOperations, ...priceOperations },
  events: { ...reviewEvents, ...submissionEvents, ...payoutEvents },
  consumes: ['subscriptions.cherryMoved'],
  jobs: { ...payoutJobs, ...reviewJobs, ...evidenceJobs },
  settings: { ...payoutSettings, ...evidenceSettings },
})
