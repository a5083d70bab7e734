import { ok, refuse } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import { unknownWebhook } from '@svc/contracts/subscriptions/webhooks'
import type { BoundHandler } from '@svc/service'
import { accountOf } from '#account-of.ts'
import type { Context } from '#context.ts'
import { deleteStoredWebhook } from '../store/webhooks.ts'

export const deleteWebhook: BoundHandler<Context, typeof subscriptions.operations.deleteWebhook> =
  () =>
  async ({ webhook_id }, call) =>
    call.effect(async (tx) => {
      if (!(await deleteStoredWebhook(tx, accountOf(call).id, webhook_id))) refuse(unknownWebhook)
      return ok(200, { ok: true, webhook_id })
    })
