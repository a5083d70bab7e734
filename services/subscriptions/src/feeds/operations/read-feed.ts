import type { subscriptions } from '@svc/contracts/subscriptions'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { feedPage } from '../feed-page.ts'

export const readFeed: BoundHandler<Context, typeof subscriptions.operations.readFeed> = (context) => (input, call) =>
  feedPage(context, input, call)
