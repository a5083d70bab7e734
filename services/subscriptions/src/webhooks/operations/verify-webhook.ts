import { randomBytes } from 'node:crypto'
import { ok, refuse } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import { unknownWebhook, webhookChallengeFailed } from '@svc/contracts/subscriptions/webhooks'
import type { BoundHandler } from '@svc/service'
import { accountOf } from '#account-of.ts'
import type { Context } from '#context.ts'
import { newId } from '#new-id.ts'
import { askReceiver } from '../ask-receiver.ts'
import { ownEvent } from '../rules/own-event.ts'
import { answersChallenge } from '../rules/challenge.ts'
import { findWebhook, turnOn } from '../store/webhooks.ts'
import { webhookView } from '../webhook-view.ts'

/** Sends a challenge; whoever answers it controls the address and reads what is sent there. */
export const verifyWebhook: BoundHandler<Context, typeof subscriptions.operations.verifyWebhook> =
  (context) =>
  async ({ webhook_id }, call) => {
    const webhook = await findWebhook(context.pool, accountOf(call).id, webhook_id)
    if (webhook === null) return refuse(unknownWebhook)
    const challenge = randomBytes(24).toString('base64url')
    const id = newId('challenge')
    const body = ownEvent(webhook_id, 'challenge', { id, at: call.now, data: { challenge } })
    const { status, reason, body: answer } = await askReceiver(context, webhook, { id, body }, call)
    const failure = reason ?? (answersChallenge(answer, challenge) ? null : 'no_challenge')
    if (failure !== null) refuse(webhookChallengeFailed, undefined, { reason: failure, answered_status: status })
    return call.effect(async (tx) => {
      const on = await turnOn(tx, webhook_id, call.now)
      return on === null ? refuse(unknownWebhook) : ok(200, { ok: true, ...webhookView(on, call.now) })
    })
  }
