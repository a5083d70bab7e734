import type { subscriptions } from '@svc/contracts/subscriptions'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { feedPage } from '../feed-page.ts'

/** The edge repeats the same read for the stream. */
export const followFeed: BoundHandler<Context, typeof subscriptions.operations.followFeed> =
  (context) => (input, call) =>
    feedPage(context, input, call)
