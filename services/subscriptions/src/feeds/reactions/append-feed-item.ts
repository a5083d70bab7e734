import type { feedItemMade } from '@svc/contracts/subscriptions/feed-catalogue'
import { subscriptions } from '@svc/contracts/subscriptions'
import { emit } from '@svc/postgres'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import type { Context, LocalContext } from '#context.ts'
import { appendItem } from '../store/feeds.ts'

/** Appends an item to its feed under the next seq, once, and publishes `feedGrew`. */
export const appendFeedItem: BoundReaction<Context, LocalContext, z.output<typeof feedItemMade>> = {
  apply:
    () =>
    async (tx, { payload: { feed_key, at, data } }) => {
      const seq = await appendItem(tx, feed_key, at, data)
      await emit(tx, subscriptions.events.feedGrew, { feed_key, seq })
    },
}
