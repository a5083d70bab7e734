import { mandates } from '@svc/contracts/mandates'
import { alertChannels, type AlertChannel } from '@svc/contracts/mandates-alerts'
import type { Job } from '@svc/service'
import type { Context } from '../context.ts'
import { pauseAfter } from '../domain/alert-tries.ts'
import { countDue, dueAlerts, markSent, noteFailure, takeTry } from '../store/alerts.ts'

/** An older alert is news to nobody; it can still be read. */
const SENT_WITHIN_MS = 86_400_000

/**
 * Sends owners the alerts that are due, by each channel for itself: a slow one keeps no other waiting. Each try is
 * stored before it is made, so that whatever ends the process, the tries of an alert stay bounded; one that ends
 * between the sending and the mark may send it twice, but marks it once.
 */
export const sendAlerts =
  (context: Context): Job =>
  async (signal) => {
    const done = await Promise.all(alertChannels.map((channel) => sendBy(context, channel, signal)))
    return { done: done.reduce((sum, sent) => sum + sent, 0) }
  }

async function sendBy(
  { pool, clock, log, alerts }: Context,
  channel: AlertChannel,
  signal: AbortSignal,
): Promise<number> {
  const send = alerts.senders[channel]
  if (send === null) return 0
  const now = clock.now()
  const since = new Date(now.getTime() - SENT_WITHIN_MS)
  if (alerts.dryRun) {
    const due = await countDue(pool, channel, since, now)
    if (due > 0) log.info({ channel, due }, 'alerts would be sent: HUB_ALERTS_DRY_RUN is on')
    return 0
  }
  let done = 0
  for (const alert of await dueAlerts(pool, channel, since, now, mandates.jobs.sendAlerts.max)) {
    if (signal.aborted) break
    const pause = pauseAfter(alert.attempts + 1)
    const next = pause === null ? null : new Date(now.getTime() + pause)
    if (!(await pool.transaction((tx) => takeTry(tx, channel, alert, next)))) continue
    const delivery = await send(alert.address, alert)
    if (delivery.sent) {
      if (await pool.transaction((tx) => markSent(tx, channel, alert.id, clock.now()))) done += 1
      continue
    }
    await pool.transaction((tx) => noteFailure(tx, channel, alert.id, delivery))
    const { failure } = delivery
    log.warn({ alert: alert.id, channel, failure, tries: alert.attempts + 1 }, 'an alert was not sent')
  }
  return done
}
