import type { feedItemMade } from '@svc/contracts/feeds'
import { subscriptions } from '@svc/contracts/subscriptions'
import { emit } from '@svc/postgres'
import type { Reaction } from '@svc/service'
import type { z } from 'zod'
import { appendItem } from '../store/feeds.ts'

/** An item gets the next seq of its feed, once, and whoever follows the feed is woken. */
export const appendFeedItem =
  (): Reaction<z.output<typeof feedItemMade>> =>
  async ({ feed_key, at, data }, _meta, tx) => {
    const seq = await appendItem(tx, feed_key, at, data)
    await emit(tx, subscriptions.events.feedGrew, { feed_key, seq })
  }
