import type { Reactions } from '@svc/service'
import type { Context, LocalContext } from './context.ts'
import { appendFeedItem } from './feeds/reactions/append-feed-item.ts'
import { openAgentAccount } from './ledger/reactions/open-agent-account.ts'
import { payMiningReward } from './ledger/reactions/pay-mining-reward.ts'

export const reactions: Reactions<Context, LocalContext> = {
  'identity.agentRegistered': openAgentAccount,
  'mining.payoutReleased': payMiningReward,
  'market-data.feedItemMade': appendFeedItem,
}
