import { contract } from '@svc/contract'
import { balanceProofJobs, balanceProofOperations } from './balance-proofs.ts'
import { feedEvents, feedJobs, feedOperations } from './feeds.ts'
import { holdJobs, holdOperations } from './holds.ts'
import { ledgerEvents, ledgerJobs, ledgerOperations } from './ledger.ts'
import { subscriptionsSettings } from './settings.ts'
import { tierEvents, tierJobs, tierOperations } from './tiers.ts'
import { webhookEvents, webhookJobs, webhookOperations } from './webhooks.ts'

/** The Cherry ledger, the tiers that are bought with it, and the feeds. */
export const subscriptions = contract('subscriptions', {
  title: 'Cherry ledger, tiers and feeds',
  settings: subscriptionsSettings,
  consumes: ['identity.agentRegistered', 'mining.payoutReleased', 'market-data.feedItemMade'],
  operations: {
    ...feedOperations,
    ...webhookOperations,
    ...tierOperations,
    ...holdOperations,
    ...balanceProofOperations,
    ...ledgerOperations,
  },
  events: { ...feedEvents, ...webhookEvents, ...tierEvents, ...ledgerEvents },
  jobs: { ...feedJobs, ...webhookJobs, ...tierJobs, ...holdJobs, ...ledgerJobs, ...balanceProofJobs },
})
