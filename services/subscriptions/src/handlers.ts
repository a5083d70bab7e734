import type { subscriptions } from '@svc/contracts/subscriptions'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { adjustCherry } from './operations/adjust-cherry.ts'
import { listHistory } from './operations/list-history.ts'
import { miningBalance } from './operations/mining-balance.ts'
import { previewUpgrade } from './operations/preview-upgrade.ts'
import { readBalance } from './operations/read-balance.ts'
import { readStatus } from './operations/read-status.ts'
import { resolveTiers } from './operations/resolve-tiers.ts'
import { subscribe } from './operations/subscribe.ts'

export const handlers = {
  subscribe,
  previewUpgrade,
  readStatus,
  readBalance,
  listHistory,
  adjustCherry,
  resolveTiers,
  miningBalance,
} satisfies Handlers<Context, typeof subscriptions>
