import { ok, refuse, type InputOf } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import { notSubscribed } from '@svc/contracts/subscriptions/feeds'
import type { Call } from '@svc/service'
import { accountOf } from '#account-of.ts'
import type { Context } from '#context.ts'
import { feedOf, needsTier } from './feed-of.ts'
import { cloudEvent } from './rules/cloud-event.ts'
import { isSubscribed, itemsAfter, newestSeq } from './store/feeds.ts'

type Input = InputOf<typeof subscriptions.operations.readFeed>

/** Answers a page of a feed that the caller's account is subscribed to. */
export async function feedPage({ pool }: Context, { feed_key, since, limit }: Input, call: Call) {
  const key = feedOf(feed_key)
  needsTier(call, key)
  if (!(await isSubscribed(pool, accountOf(call).id, key))) refuse(notSubscribed)
  const items = await itemsAfter(pool, key, since, limit)
  // Read after the items: an item added in between is returned by the next call, never lost.
  const newest = await newestSeq(pool, key)
  return ok(200, {
    feed_key: key,
    items: items.map((item) => cloudEvent(key, item)),
    next_since: items.at(-1)?.seq ?? Math.min(since, newest),
    newest_seq: newest,
    missed: Math.max(0, (items[0]?.seq ?? since + 1) - 1 - since),
  })
}
