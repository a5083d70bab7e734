import { subscriptions } from '@svc/contracts/subscriptions'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { cloudEvent } from '#feeds/rules/cloud-event.ts'
import { signingSecrets } from '../open-secrets.ts'
import { postMessage, type Receipt } from '../post-message.ts'
import { queueItems } from '../queue-items.ts'
import { resealSecrets } from '../reseal-secrets.ts'
import { isOver, nextTryAt } from '../rules/retry.ts'
import type { SecretBox } from '../secret-box.ts'
import { dropDelivery, dueDeliveries, nextDueAt, overfull, takeTry, type DueDelivery } from '../store/deliveries.ts'
import { forgetHosts, noteDelivered, noteFailure, noteUnreadable } from '../store/webhooks.ts'
import { countDelivery } from '../telemetry.ts'
import { endWebhook } from '../end-webhook.ts'

/** Hosts to which messages are sent at the same time; to each of them one message at a time. */
const HOSTS_AT_ONCE = 50
/** Messages to one host in a tick, and how long a tick goes on with a host: a slow one delays nobody for longer. */
const PER_HOST = 50
const LANE_MS = 5_000
/** Items that may wait for one webhook. */
export const BACKLOG_MAX = 5_000
const HOSTS_KEPT_MS = 3_600_000
/** How long a webhook rests whose secret no key opens. */
const UNREADABLE_REST_MS = 600_000

/**
 * Queues new items of feeds for webhooks and sends what is due. A try is stored before it is made, and the item is deleted
 * after its receiver accepted it: a process that ends in between sends it again, with the same id.
 */
export const deliverWebhooks =
  (context: Context): Job =>
  async (signal) => {
    const { pool, clock, webhooks } = context
    const { box } = webhooks
    if (box === null) return { done: 0 }
    await resealSecrets(pool, box, clock.now())
    await forgetHosts(pool, new Date(clock.now().getTime() - HOSTS_KEPT_MS))
    const { queued, isAll } = await queueItems(pool, clock.now())
    for (const id of await overfull(pool, BACKLOG_MAX))
      await pool.transaction((tx) => endWebhook(tx, id, 'backlog', clock.now()))
    const due = await dueDeliveries(pool, clock.now(), {
      perHost: PER_HOST,
      max: subscriptions.jobs.deliverWebhooks.max,
    })
    const lanes = [...Map.groupBy(due, ({ host }) => host).values()].values()
    let done = 0
    const worker = async () => {
      for (const lane of lanes) done += await sendLane(context, box, lane, signal)
    }
    await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, worker))
    const nextAt = isAll ? await nextDueAt(pool) : clock.now()
    return { done, queued, ...(nextAt === null ? {} : { nextAt }) }
  }

/** Sends to one host, one message after the other. A webhook that fails rests; the others of the host go on. */
async function sendLane(
  context: Context,
  box: SecretBox,
  lane: readonly DueDelivery[],
  signal: AbortSignal,
): Promise<number> {
  const startedAt = performance.now()
  const resting = new Set<string>()
  let done = 0
  for (const due of lane) {
    if (signal.aborted || performance.now() - startedAt > LANE_MS) break
    if (resting.has(due.webhook_id)) continue
    const secrets = signingSecrets(box, due.webhook_id, due, context.clock.now())
    if (secrets === null) {
      resting.add(due.webhook_id)
      await restUnreadable(context, due.webhook_id)
      continue
    }
    if (!(await takeTry(context.pool, due, nextTryAt(due.attempts + 1, context.clock.now())))) continue
    const receipt = await send(context, secrets, due, signal)
    if (receipt === null) {
      await context.pool.transaction((tx) => dropDelivery(tx, due))
      countDelivery('given_up')
    } else if (receipt.reason === null) {
      await noteAccepted(context, due)
      countDelivery('delivered')
      done += 1
    } else if (signal.aborted) {
      // The tick or the process ended: that says nothing about the receiver.
      break
    } else {
      resting.add(due.webhook_id)
      await noteRefused(context, due, receipt)
    }
  }
  return done
}

/** Sends an item once; null if its feed no longer keeps it. */
async function send(
  { clock, webhooks }: Context,
  secrets: readonly string[],
  due: DueDelivery,
  signal: AbortSignal,
): Promise<Receipt | null> {
  const { feed_key, item } = due
  if (item === null) return null
  const now = clock.now()
  const event = cloudEvent(feed_key, item)
  const message = { id: event.id, body: JSON.stringify(event) }
  return postMessage({ url: due.url, secrets }, message, { policy: webhooks.policy, at: now, signal })
}

async function noteAccepted({ pool, clock }: Context, due: DueDelivery): Promise<void> {
  await pool.transaction(async (tx) => {
    await noteDelivered(tx, due.webhook_id, clock.now())
    await dropDelivery(tx, due)
  })
}

/** Lets a webhook rest whose secret cannot be opened: the key of the deployment is wrong, and its receiver has done nothing. */
async function restUnreadable({ pool, clock, log }: Context, webhookId: string): Promise<void> {
  await noteUnreadable(pool, webhookId, new Date(clock.now().getTime() + UNREADABLE_REST_MS))
  log.error({ webhook: webhookId }, 'no key opens the secret of a webhook: check SVC_WEBHOOK_KEY')
}

/** Lets the webhook rest, and turns it off if its receiver is gone or has accepted nothing for a day. */
async function noteRefused(
  { pool, clock, log }: Context,
  due: DueDelivery,
  { reason, status, cause }: Receipt,
): Promise<void> {
  const now = clock.now()
  const givenUp = isOver(due.queued_at, now)
  await pool.transaction(async (tx) => {
    const webhook = await noteFailure(
      tx,
      due.webhook_id,
      reason ?? 'connection_failed',
      nextTryAt(due.failures + 1, now),
      now,
    )
    if (webhook === null) return
    if (status === 410) await endWebhook(tx, webhook.id, 'gone', now)
    else if (webhook.failing_since !== null && isOver(webhook.failing_since, now))
      await endWebhook(tx, webhook.id, 'failing', now)
    else if (givenUp) await dropDelivery(tx, due)
  })
  countDelivery(givenUp ? 'given_up' : 'failed')
  log.info({ webhook: due.webhook_id, reason: cause, attempts: due.attempts + 1 }, 'a webhook did not accept an item')
}
