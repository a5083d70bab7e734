import { feeds } from '@svc/contracts/subscriptions/feed-catalogue'
import type { Pool } from '@svc/postgres'
import { itemsAfter } from '#feeds/store/feeds.ts'
import { itemFacts } from './rules/item-facts.ts'
import { lockCursors, moveCursor, queueItem } from './store/deliveries.ts'

/** Items of a feed that are queued in a tick. */
const ITEMS_MAX = 200

/**
 * Queues the items that feeds gained since the last call for the webhooks whose filters pass them: each item once, whatever
 * ends the process. `isAll` says whether no feed has more.
 */
export async function queueItems(pool: Pool, now: Date): Promise<{ readonly queued: number; readonly isAll: boolean }> {
  return pool.transaction(async (tx) => {
    let queued = 0
    let isAll = true
    for (const { feed_key: key, seq: last } of await lockCursors(tx)) {
      const items = await itemsAfter(tx, key, last, ITEMS_MAX)
      for (const { seq, data } of items)
        queued += await queueItem(tx, { key, seq, tier: feeds[key].tier, ...itemFacts(data) }, now)
      const newest = items.at(-1)?.seq
      if (newest !== undefined) await moveCursor(tx, key, newest)
      if (items.length === ITEMS_MAX) isAll = false
    }
    return { queued, isAll }
  })
}
