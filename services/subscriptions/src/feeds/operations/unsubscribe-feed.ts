import { ok } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import type { BoundHandler } from '@svc/service'
import { accountOf } from '#account-of.ts'
import type { Context } from '#context.ts'
import { feedOf } from '../feed-of.ts'
import { leave } from '../store/feeds.ts'

export const unsubscribeFeed: BoundHandler<Context, typeof subscriptions.operations.unsubscribeFeed> =
  () => async (input, call) => {
    const key = feedOf(input.feed_key)
    return call.effect(async (tx) => {
      await leave(tx, accountOf(call).id, key)
      return ok(200, { ok: true, feed_key: key })
    })
  }
