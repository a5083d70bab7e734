import { ok, refuse } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import { unknownWebhook, webhookNotVerified } from '@svc/contracts/subscriptions/webhooks'
import type { BoundHandler } from '@svc/service'
import { accountOf } from '#account-of.ts'
import type { Context } from '#context.ts'
import { newId } from '#new-id.ts'
import { askReceiver } from '../ask-receiver.ts'
import { ownEvent } from '../rules/own-event.ts'
import { findWebhook } from '../store/webhooks.ts'

/** Sends a test event once. Its end changes nothing: neither does a failure count, nor does a success end failures. */
export const testWebhook: BoundHandler<Context, typeof subscriptions.operations.testWebhook> =
  (context) =>
  async ({ webhook_id }, call) => {
    const webhook = await findWebhook(context.pool, accountOf(call).id, webhook_id)
    if (webhook === null) return refuse(unknownWebhook)
    if (webhook.state !== 'on') return refuse(webhookNotVerified)
    const id = newId('test')
    const body = ownEvent(webhook_id, 'test', { id, at: call.now, data: { webhook_id } })
    const { status, reason } = await askReceiver(context, webhook, { id, body }, call)
    return ok(200, { ok: true, delivered: reason === null, message_id: id, answered_status: status, reason })
  }
