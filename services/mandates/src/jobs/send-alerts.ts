import { mandates } from '@svc/contracts/mandates'
import type { Job } from '@svc/service'
import type { Context } from '../context.ts'
import { pauseAfter } from '../domain/alert-tries.ts'
import { countDue, dueAlerts, markSent, noteFailure, takeTry } from '../store/alerts.ts'

/** An older alert is news to nobody; it can still be read. */
const SENT_WITHIN_MS = 86_400_000

/**
 * Sends owners the alerts that are due. Each try is stored before it is made, so that whatever ends the process, the
 * tries of an alert stay bounded; one that ends between the sending and the mark may send it twice, but marks it once.
 */
export const sendAlerts =
  ({ pool, clock, log, acting }: Context): Job =>
  async (signal) => {
    const now = clock.now()
    const since = new Date(now.getTime() - SENT_WITHIN_MS)
    const { telegram } = acting
    if (telegram === null) return { done: 0 }
    if (acting.alertsDryRun) {
      const due = await countDue(pool, since, now)
      if (due > 0) log.info({ due }, 'alerts would be sent: HUB_ALERTS_DRY_RUN is on')
      return { done: 0 }
    }
    let done = 0
    for (const alert of await dueAlerts(pool, since, now, mandates.jobs.sendAlerts.max)) {
      if (signal.aborted) break
      const pause = pauseAfter(alert.attempts + 1)
      const next = pause === null ? null : new Date(now.getTime() + pause)
      if (!(await pool.transaction((tx) => takeTry(tx, alert, next)))) continue
      const delivery = await telegram(alert.telegram_chat_id, `${alert.text}\n${alert.link}`)
      if (delivery.sent) {
        if (await pool.transaction((tx) => markSent(tx, alert.id, clock.now()))) done += 1
        continue
      }
      await pool.transaction((tx) => noteFailure(tx, alert.id, delivery))
      log.warn({ alert: alert.id, failure: delivery.failure, tries: alert.attempts + 1 }, 'an alert was not sent')
    }
    return { done }
  }
