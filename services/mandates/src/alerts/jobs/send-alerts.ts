import { mandates } from '@svc/contracts/mandates'
import type { Tx } from '@svc/postgres'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { pauseAfter, SENT_WITHIN_MS } from '../rules/alert-tries.ts'
import { afterQuiet } from '../rules/alert-times.ts'
import { timesIn } from '../store/alert-times.ts'
import { countDue, dueAlerts, markSent, noteFailure, takeTry, type DueAlert } from '../store/alerts.ts'
import { alertChannels, type AlertChannel } from '@svc/contracts/mandates/alerts'

/**
 * Sends due alerts to owners. Channels work separately, so that a slow channel delays no other. Each try is
 * stored before it is made, so that the number of tries is limited even if the process ends. A process that ends
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
    if (due > 0)
      log.info({ job: 'sendAlerts', dry: true, do: 'send', channel, due }, 'dry run: these alerts would be sent')
    return 0
  }
  let done = 0
  for (const batch of batchesOf(await dueAlerts(pool, channel, since, now, mandates.jobs.sendAlerts.max))) {
    if (signal.aborted) break
    const taken = await pool.transaction((tx) => takeTries(tx, channel, batch, now))
    const [first] = taken
    if (first === undefined) continue
    const delivery = await send(first.address, taken)
    for (const alert of taken) {
      if (delivery.sent) {
        if (await pool.transaction((tx) => markSent(tx, channel, alert.id, clock.now()))) done += 1
        continue
      }
      await pool.transaction((tx) => noteFailure(tx, channel, alert.id, delivery))
      const { failure } = delivery
      log.warn({ alert: alert.id, channel, failure, tries: alert.attempts + 1 }, 'an alert was not sent')
    }
  }
  return done
}

/** Groups alerts into messages: the alerts of an owner's digest together, critical and other alerts separately. */
function batchesOf(due: readonly DueAlert[]): readonly (readonly DueAlert[])[] {
  const isGrouped = ({ digest_at, severity }: DueAlert) => digest_at !== null && severity !== 'critical'
  const batches = Map.groupBy(due, (alert) => (isGrouped(alert) ? `owner ${alert.owner_id}` : `alert ${alert.id}`))
  return [...batches.values()]
}

/** Counts a try of each alert, in the order of their ids to avoid deadlocks. Returns the alerts that no other worker is trying. */
async function takeTries(tx: Tx, channel: AlertChannel, batch: readonly DueAlert[], now: Date): Promise<DueAlert[]> {
  const taken: DueAlert[] = []
  for (const alert of batch.toSorted((one, other) => one.id - other.id)) {
    const pause = pauseAfter(alert.attempts + 1)
    const next = pause === null ? null : new Date(now.getTime() + pause)
    const kept = next === null || alert.severity === 'critical' ? next : afterQuiet(next, timesIn(alert))
    if (await takeTry(tx, channel, alert, kept)) taken.push(alert)
  }
  return taken
}
