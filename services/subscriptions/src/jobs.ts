import { publishBalanceRoot } from './balance-proofs/jobs/publish-balance-root.ts'
import { checkLedger } from './ledger/jobs/check-ledger.ts'
import { forgetFeedItems } from './feeds/jobs/forget-feed-items.ts'
import { deliverWebhooks } from './webhooks/jobs/deliver-webhooks.ts'
import { expireHolds } from './holds/jobs/expire-holds.ts'
import { lapse } from './tiers/jobs/lapse.ts'

export const jobs = { lapse, checkLedger, expireHolds, forgetFeedItems, deliverWebhooks, publishBalanceRoot }
