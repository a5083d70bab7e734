import { ok, refuse, type InputOf } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import { cursorAhead, notSubscribed } from '@svc/contracts/subscriptions/feeds'
import type { Call } from '@svc/service'
import { accountOf } from '#account-of.ts'
import type { Context } from '#context.ts'
import { feedOf, needsTier } from './feed-of.ts'
import { cloudEvent } from './rules/cloud-event.ts'
import { isSubscribed, itemsAfter, newestSeq } from './store/feeds.ts'

type Input = InputOf<typeof subscriptions.operations.readFeed>

/** Answers a page of a feed that the caller's account is subscribed to. */
export async function feedPage({ pool }: Context, { feed_key, since = 0, limit }: Input, call: Call) {
  const key = feedOf(feed_key)
  needsTier(call, key)
  if (!(await isSubscribed(pool, accountOf(call).id, key))) refuse(notSubscribed)
  const items = since === 'now' ? [] : await itemsAfter(pool, key, since, limit)
  // Read after the items: an item added in between is returned by the next call, never lost.
  const newest = await newestSeq(pool, key)
  const cursor = since === 'now' ? newest : since
  if (cursor > newest) refuse(cursorAhead, undefined, { newest_seq: newest })
  return ok(200, {
    feed_key: key,
    items: items.map((item) => cloudEvent(key, item)),
    next_since: items.at(-1)?.seq ?? cursor,
    newest_seq: newest,
    missed: Math.max(0, (items[0]?.seq ?? cursor + 1) - 1 - cursor),
  })
}
