import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import { ASKS_PER_ACCOUNT, ASKS_PER_HOST, webhooksNotConfigured } from '@svc/contracts/subscriptions/webhooks'
import type { Call } from '@svc/service'
import type { Context } from '#context.ts'
import { signingSecrets } from './open-secrets.ts'
import { postMessage, type Receipt } from './post-message.ts'
import type { SecretBox } from './secret-box.ts'
import { countAsk, hasDelivered, type StoredWebhook } from './store/webhooks.ts'

const WINDOW_MS = 60_000

/** Returns the box of the secrets; refuses while the deployment has no key for it. */
export function boxOf({ webhooks }: Context): SecretBox {
  return webhooks.box ?? refuse(webhooksNotConfigured)
}

/**
 * Sends an event to a webhook at the request of its account and returns what the receiver answered. What is sent to a host in
 * a minute is bounded for the account, and over all accounts that have not proved the host by a delivery. It is counted before it
 * leaves: the owner of the host may know nothing of us.
 */
export async function askReceiver(
  context: Context,
  webhook: StoredWebhook,
  message: { readonly id: string; readonly body: string },
  call: Call,
): Promise<Receipt> {
  const { pool, clock, webhooks, log } = context
  const secrets = signingSecrets(boxOf(context), webhook.id, webhook, clock.now())
  if (secrets === null) return { status: null, reason: 'secret_unreadable', cause: 'secret_unreadable', body: null }
  await pool.transaction(async (tx) => {
    const { account_id, host } = webhook
    const fix = 'Try again in a minute.'
    // A host has no space, so that this names no other host.
    if ((await countAsk(tx, `${account_id} ${host}`, call.now, WINDOW_MS)) > ASKS_PER_ACCOUNT)
      refuse(
        common.rateLimited,
        `An account sends at most ${ASKS_PER_ACCOUNT} challenges and tests a minute to one host.`,
        { fix },
      )
    if (await hasDelivered(tx, account_id, host)) return
    if ((await countAsk(tx, host, call.now, WINDOW_MS)) > ASKS_PER_HOST)
      refuse(common.rateLimited, `At most ${ASKS_PER_HOST} challenges and tests a minute are sent to one host.`, {
        fix,
      })
  })
  const signal = new AbortController().signal
  const receipt = await postMessage({ url: webhook.url, secrets }, message, {
    policy: webhooks.policy,
    at: clock.now(),
    signal,
    readsBody: true,
  })
  if (receipt.reason !== null)
    log.info({ webhook: webhook.id, reason: receipt.cause }, 'a receiver did not accept what it was asked')
  return receipt
}
