import { ok } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import type { BoundHandler } from '@svc/service'
import { accountOf } from '#account-of.ts'
import type { Context } from '#context.ts'
import { feedOf, needsTier } from '../feed-of.ts'
import { newestSeq, subscribeTo } from '../store/feeds.ts'

export const subscribeFeed: BoundHandler<Context, typeof subscriptions.operations.subscribeFeed> =
  () => async (input, call) => {
    const key = feedOf(input.feed_key)
    needsTier(call, key)
    return call.effect(async (tx) =>
      ok(200, {
        ok: true,
        feed_key: key,
        subscribed_at: await subscribeTo(tx, accountOf(call).id, key, call.now),
        newest_seq: await newestSeq(tx, key),
        data: `/feeds/data/${key}`,
        stream: `/feeds/stream/${key}`,
      }),
    )
  }
