import { randomBytes } from 'node:crypto'
import type { Caller } from '@svc/contract'
import { feeds, type FeedKey } from '@svc/contracts/subscriptions/feed-catalogue'
import type { Pool, Tx } from '@svc/postgres'
import { openLog, type Call } from '@svc/service'
import type { PublicPolicy } from '@svc/service/public-web'
import type { FakeClock } from '@svc/testing'
import type { Context } from '#context.ts'
import { appendItem, subscribeTo } from '#feeds/store/feeds.ts'
import { deliverWebhooks } from '#webhooks/jobs/deliver-webhooks.ts'
import { createWebhook } from '#webhooks/operations/create-webhook.ts'
import { listWebhooks } from '#webhooks/operations/list-webhooks.ts'
import { verifyWebhook } from '#webhooks/operations/verify-webhook.ts'
import { openSecretBox, type SecretBox } from '#webhooks/secret-box.ts'

export const KEY = randomBytes(32).toString('base64url')

/** Returns the context of webhooks; no other part of the service is asked. */
export const contextOf = (pool: Pool, clock: FakeClock, policy: PublicPolicy, box: SecretBox | null): Context =>
  ({ pool, clock, log: openLog('subscriptions', 'silent'), webhooks: { policy, box } }) as unknown as Context

let lastId = 1_000

/** Webhooks without the bus: a job runs when a test runs it. */
export function webhookRig(pool: Pool, clock: FakeClock, policy: PublicPolicy) {
  const context = contextOf(pool, clock, policy, openSecretBox(KEY, null))
  const callOf = (accountId: number): Call =>
    ({
      now: clock.now(),
      caller: { account_id: accountId, kind: 'agent', tier: 2 } as Caller,
      effect: (work: (tx: Tx) => Promise<never>) => pool.transaction(work),
    }) as unknown as Call
  return {
    context,
    /** Makes a webhook of a new account, or of the given one, and has its receiver verify it. */
    turnedOn: async (url: string, more: object = {}, accountId = (lastId += 1)) => {
      const feed_keys: FeedKey[] = ['crisis_alerts']
      const input = { url, feed_keys, pairs: [], severity_min: null, ...more }
      for (const key of input.feed_keys) await pool.transaction((tx) => subscribeTo(tx, accountId, key, clock.now()))
      const { body } = await createWebhook(context)(input, callOf(accountId))
      await verifyWebhook(context)({ webhook_id: body.webhook_id }, callOf(accountId))
      return { accountId, ...body }
    },
    verify: (accountId: number, webhook_id: string) => verifyWebhook(context)({ webhook_id }, callOf(accountId)),
    /** Returns the only webhook of an account as it is shown. */
    shown: async (accountId: number) => {
      const [only] = (await listWebhooks(context)({}, callOf(accountId))).body.items
      if (only === undefined) throw new Error('the account has no webhook')
      return only
    },
    append: (key: FeedKey, more: object = {}) =>
      pool.transaction((tx) => appendItem(tx, key, clock.now().toISOString(), { ...feeds[key].sample, ...more })),
    deliver: (signal = AbortSignal.timeout(600_000)) => deliverWebhooks(context)(signal),
  }
}
