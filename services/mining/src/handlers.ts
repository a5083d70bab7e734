import type { mining } from '@svc/contracts/mining'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { listFields } from './operations/list-fields.ts'
import { listSubmissions } from './operations/list-submissions.ts'
import { miningBalance } from './operations/mining-balance.ts'
import { readPrices } from './operations/read-prices.ts'
import { reviewQueue } from './operations/review-queue.ts'
import { reviewSubmission } from './operations/review-submission.ts'
import { setPrices } from './operations/set-prices.ts'
import { submitMetadata } from './operations/submit-metadata.ts'

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
