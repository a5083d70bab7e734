import { randomBytes } from 'node:crypto'
import { ok, refuse } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import { OLD_SECRET_HOURS, unknownWebhook } from '@svc/contracts/subscriptions/webhooks'
import type { BoundHandler } from '@svc/service'
import { accountOf } from '#account-of.ts'
import type { Context } from '#context.ts'
import { boxOf } from '../ask-receiver.ts'
import { secretOf, SECRET_BYTES } from '../rules/signature.ts'
import { lockWebhook, storeWebhook } from '../store/webhooks.ts'
import { webhookView } from '../webhook-view.ts'

export const rotateWebhookSecret: BoundHandler<Context, typeof subscriptions.operations.rotateWebhookSecret> =
  (context) =>
  async ({ webhook_id: id }, call) => {
    const box = boxOf(context)
    const secret = secretOf(randomBytes(SECRET_BYTES))
    return call.effect(async (tx) => {
      const webhook = await lockWebhook(tx, accountOf(call).id, id)
      if (webhook === null) return refuse(unknownWebhook)
      const rotated = await storeWebhook(tx, id, {
        secret: box.seal(id, secret),
        old_secret: webhook.secret,
        old_secret_ends_at: new Date(call.now.getTime() + OLD_SECRET_HOURS * 3_600_000),
      })
      if (rotated === null) return refuse(unknownWebhook)
      return ok(200, { ok: true, ...webhookView(rotated, call.now), secret })
    })
  }
