import { subscriptions } from '@svc/contracts/subscriptions'
import { FEED_DAYS_KEPT, FEED_ITEMS_KEPT } from '@svc/contracts/subscriptions/feeds'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { forgetItems } from '../store/feeds.ts'

const DAY_MS = 86_400_000

/** Deletes feed items beyond the bounds; readers see in `missed` how many they lack. */
export const forgetFeedItems =
  ({ pool, clock }: Context): Job =>
  async () => {
    const before = new Date(clock.now().getTime() - FEED_DAYS_KEPT * DAY_MS)
    return {
      done: await pool.transaction((tx) =>
        forgetItems(tx, before, FEED_ITEMS_KEPT, subscriptions.jobs.forgetFeedItems.max),
      ),
    }
  }
