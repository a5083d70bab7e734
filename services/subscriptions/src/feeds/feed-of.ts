import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import { feedKey, feeds, type FeedKey } from '@svc/contracts/subscriptions/feed-catalogue'
import { unknownFeed } from '@svc/contracts/subscriptions/feeds'
import { callerOf, type Call } from '@svc/service'

/** Returns the feed of a key; refuses an unknown key. */
export function feedOf(key: string): FeedKey {
  const known = feedKey.safeParse(key)
  return known.success ? known.data : refuse(unknownFeed, `There is no feed "${key}".`)
}

/** Refuses a caller whose tier does not include the feed, and names how to get the tier. */
export function needsTier(call: Call, key: FeedKey): void {
  const { tier } = feeds[key]
  if (callerOf(call).tier >= tier) return
  refuse(common.tierRequired, `The feed ${key} needs Tier ${tier}.`, {
    required_tier: tier,
    upgrade: 'POST /subscriptions/cherries/subscribe',
  })
}
