import type { subscriptions } from '@svc/contracts/subscriptions'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { adjustCherry } from './operations/adjust-cherry.ts'
import { listFeeds } from './operations/list-feeds.ts'
import { listHistory } from './operations/list-history.ts'
import { miningBalance } from './operations/mining-balance.ts'
import { previewUpgrade } from './operations/preview-upgrade.ts'
import { readBalance } from './operations/read-balance.ts'
import { followFeed, readFeed } from './operations/read-feed.ts'
import { readStatus } from './operations/read-status.ts'
import { resolveTiers } from './operations/resolve-tiers.ts'
import { subscribe } from './operations/subscribe.ts'
import { subscribeFeed } from './operations/subscribe-feed.ts'
import { unsubscribeFeed } from './operations/unsubscribe-feed.ts'

export const handlers = {
  subscribe,
  previewUpgrade,
  readStatus,
  readBalance,
  listHistory,
  adjustCherry,
  resolveTiers,
  miningBalance,
  listFeeds,
  subscribeFeed,
  unsubscribeFeed,
  readFeed,
  followFeed,
} satisfies Handlers<Context, typeof subscriptions>
