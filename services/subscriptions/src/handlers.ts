import type { subscriptions } from '@svc/contracts/subscriptions'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { listBalanceRoots } from './balance-proofs/operations/list-balance-roots.ts'
import { readBalanceProof } from './balance-proofs/operations/read-balance-proof.ts'
import { captureHold } from './holds/operations/capture-hold.ts'
import { placeHold } from './holds/operations/place-hold.ts'
import { readPaid } from './holds/operations/read-paid.ts'
import { releaseHold } from './holds/operations/release-hold.ts'
import { adjustCherry } from './ledger/operations/adjust-cherry.ts'
import { listFeeds } from './feeds/operations/list-feeds.ts'
import { listHistory } from './ledger/operations/list-history.ts'
import { miningBalance } from './ledger/operations/mining-balance.ts'
import { previewUpgrade } from './tiers/operations/preview-upgrade.ts'
import { readBalance } from './ledger/operations/read-balance.ts'
import { followFeed } from './feeds/operations/follow-feed.ts'
import { readFeed } from './feeds/operations/read-feed.ts'
import { listTiers } from './tiers/operations/list-tiers.ts'
import { readAgentCherry } from './tiers/operations/read-agent-cherry.ts'
import { readStatus } from './tiers/operations/read-status.ts'
import { resolveTiers } from './tiers/operations/resolve-tiers.ts'
import { subscribe } from './tiers/operations/subscribe.ts'
import { subscribeFeed } from './feeds/operations/subscribe-feed.ts'
import { createWebhook } from './webhooks/operations/create-webhook.ts'
import { deleteWebhook } from './webhooks/operations/delete-webhook.ts'
import { listWebhooks } from './webhooks/operations/list-webhooks.ts'
import { rotateWebhookSecret } from './webhooks/operations/rotate-webhook-secret.ts'
import { testWebhook } from './webhooks/operations/test-webhook.ts'
import { verifyWebhook } from './webhooks/operations/verify-webhook.ts'
import { unsubscribeFeed } from './feeds/operations/unsubscribe-feed.ts'

export const handlers = {
  subscribe,
  previewUpgrade,
  readStatus,
  readAgentCherry,
  listTiers,
  readBalance,
  listHistory,
  readBalanceProof,
  listBalanceRoots,
  adjustCherry,
  placeHold,
  captureHold,
  releaseHold,
  readPaid,
  resolveTiers,
  miningBalance,
  listFeeds,
  subscribeFeed,
  unsubscribeFeed,
  readFeed,
  followFeed,
  createWebhook,
  listWebhooks,
  verifyWebhook,
  testWebhook,
  rotateWebhookSecret,
  deleteWebhook,
} satisfies Handlers<Context, typeof subscriptions>
