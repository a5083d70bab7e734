import { ok } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import type { BoundHandler } from '@svc/service'
import { accountOf } from '#account-of.ts'
import type { Context } from '#context.ts'
import { webhooksOf } from '../store/webhooks.ts'
import { webhookView } from '../webhook-view.ts'

export const listWebhooks: BoundHandler<Context, typeof subscriptions.operations.listWebhooks> =
  ({ pool }) =>
  async (_input, call) => {
    const stored = await webhooksOf(pool, accountOf(call).id)
    return ok(200, { items: stored.map((one) => webhookView(one, call.now)) })
  }
