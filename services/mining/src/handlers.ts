import type { mining } from '@svc/contracts/mining'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { listFields } from './submissions/operations/list-fields.ts'
import { listSubmissions } from './submissions/operations/list-submissions.ts'
import { miningBalance } from './payouts/operations/mining-balance.ts'
import { readPrices } from './prices/operations/read-prices.ts'
import { reviewQueue } from './reviews/operations/review-queue.ts'
import { reviewSubmission } from './reviews/operations/review-submission.ts'
import { setPrices } from './prices/operations/set-prices.ts'
import { submitMetadata } from './submissions/operations/submit-metadata.ts'

export const handlers = {
  listFields,
  submitMetadata,
  listSubmissions,
  miningBalance,
  reviewQueue,
  reviewSubmission,
  readPrices,
  setPrices,
} satisfies Handlers<Context, typeof mining>
