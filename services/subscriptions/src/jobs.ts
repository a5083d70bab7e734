import { checkLedger } from './jobs/check-ledger.ts'
import { forgetFeedItems } from './jobs/forget-feed-items.ts'
import { lapse } from './jobs/lapse.ts'

export const jobs = { lapse, checkLedger, forgetFeedItems }
