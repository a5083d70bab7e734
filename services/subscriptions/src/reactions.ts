import { appendFeedItem } from './reactions/append-feed-item.ts'
import { openAgentAccount } from './reactions/open-agent-account.ts'
import { payMiningReward } from './reactions/pay-mining-reward.ts'

export const reactions = {
  'identity.agentRegistered': openAgentAccount,
  'mining.payoutReleased': payMiningReward,
  'market-data.feedItemMade': appendFeedItem,
}
