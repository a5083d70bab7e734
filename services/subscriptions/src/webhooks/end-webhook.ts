import { subscriptions } from '@svc/contracts/subscriptions'
import { emit, type Tx } from '@svc/postgres'
import { turnOff, type OffReason } from './store/webhooks.ts'

/** Turns a webhook off, once, and tells the other services, which notify its account. */
export async function endWebhook(tx: Tx, id: string, reason: OffReason, now: Date): Promise<void> {
  const webhook = await turnOff(tx, id, reason, now)
  if (webhook === null) return
  await emit(tx, subscriptions.events.webhookTurnedOff, {
    account_id: webhook.account_id,
    webhook_id: id,
    host: webhook.host,
    reason,
    off_at: now.toISOString(),
  })
}
