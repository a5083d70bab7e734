import type { Webhook } from '@svc/contracts/subscriptions/webhooks'
import { pairOf } from './rules/item-facts.ts'
import type { StoredWebhook } from './store/webhooks.ts'

const iso = (at: Date | null) => at?.toISOString() ?? null

/** Returns a webhook as its account sees it: without secrets. */
export function webhookView(stored: StoredWebhook, now: Date): Webhook {
  const oldEnds = stored.old_secret_ends_at
  return {
    webhook_id: stored.id,
    url: stored.url,
    feed_keys: [...stored.feed_keys],
    pairs: stored.pairs.map(pairOf),
    severity_min: stored.severity_min,
    state: stored.state,
    created_at: stored.created_at.toISOString(),
    last_delivered_at: iso(stored.last_delivered_at),
    failing_since: iso(stored.failing_since),
    last_failure: stored.last_failure,
    off_at: iso(stored.off_at),
    off_reason: stored.off_reason,
    old_secret_ends_at: oldEnds !== null && oldEnds > now ? oldEnds.toISOString() : null,
  }
}
