import { randomBytes } from 'node:crypto'
import { ok, refuse } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import { notSubscribed } from '@svc/contracts/subscriptions/feeds'
import { webhookLimit, WEBHOOKS_MAX } from '@svc/contracts/subscriptions/webhooks'
import type { BoundHandler } from '@svc/service'
import { accountOf } from '#account-of.ts'
import type { Context } from '#context.ts'
import { needsTier } from '#feeds/feed-of.ts'
import { isSubscribed } from '#feeds/store/feeds.ts'
import { newId } from '#new-id.ts'
import { boxOf } from '../ask-receiver.ts'
import { pairKey } from '../rules/item-facts.ts'
import { secretOf, SECRET_BYTES } from '../rules/signature.ts'
import { insertWebhook, type StoredWebhook } from '../store/webhooks.ts'
import { webhookView } from '../webhook-view.ts'

export const createWebhook: BoundHandler<Context, typeof subscriptions.operations.createWebhook> =
  (context) => async (input, call) => {
    const box = boxOf(context)
    const account = accountOf(call)
    for (const key of input.feed_keys) {
      needsTier(call, key)
      if (!(await isSubscribed(context.pool, account.id, key)))
        refuse(notSubscribed, `The account is not subscribed to the feed ${key}.`)
    }
    const id = newId('whk')
    const secret = secretOf(randomBytes(SECRET_BYTES))
    const url = new URL(input.url)
    const webhook: StoredWebhook = {
      id,
      account_id: account.id,
      url: url.href,
      // One host is one host however it is written.
      host: url.hostname.replace(/\.$/, ''),
      feed_keys: input.feed_keys,
      pairs: [...new Set(input.pairs.map(pairKey))],
      severity_min: input.severity_min,
      state: 'unverified',
      secret: box.seal(id, secret),
      old_secret: null,
      old_secret_ends_at: null,
      created_at: call.now,
      last_delivered_at: null,
      failures: 0,
      failing_since: null,
      last_failure: null,
      next_at: call.now,
      off_at: null,
      off_reason: null,
    }
    return call.effect(async (tx) => {
      if (!(await insertWebhook(tx, webhook, WEBHOOKS_MAX))) refuse(webhookLimit)
      return ok(201, { ok: true, ...webhookView(webhook, call.now), secret })
    })
  }
