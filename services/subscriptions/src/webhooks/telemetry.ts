import type { Pool } from '@svc/postgres'
import { counterOf, countsByState, type Gauges } from '@svc/service'
import { countStates, countUnreadable, oldestAges } from './store/deliveries.ts'

const OUTCOMES = ['delivered', 'failed', 'given_up'] as const

const count = counterOf(
  'hub_webhook_deliveries',
  'Tries to send an item to a webhook, by outcome; given_up: tried for a day, or no longer kept',
  OUTCOMES.map((outcome) => ({ outcome })),
)

/** Counts a try. */
export const countDelivery = (outcome: (typeof OUTCOMES)[number]): void => count({ outcome })

/** Figures of webhooks. */
export function webhookGauges(pool: Pool): Gauges {
  return {
    hub_webhook_oldest_age_seconds: {
      description:
        'Age of the oldest item that waits, by whether its webhook accepts or fails; 0 if none waits. Only accepting is ours to mend',
      label: 'webhooks',
      read: () => oldestAges(pool),
    },
    hub_webhook_secrets_unreadable: {
      description: 'Webhooks that rest because no key opens their secret; anything but 0 is a wrong SVC_WEBHOOK_KEY',
      read: () => countUnreadable(pool),
    },
    hub_webhooks: {
      description: 'Webhooks by state',
      label: 'state',
      read: async () => countsByState(['unverified', 'on', 'off'], await countStates(pool)),
    },
  }
}
