import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { timesView } from '../alert-times-view.ts'
import { SENT_WITHIN_MS } from '../rules/alert-tries.ts'
import { dueAt, minuteOfText } from '../rules/alert-times.ts'
import { postponeAlert, storeAlertTimes, untriedAlerts } from '../store/alert-times.ts'

export const setAlertTimes: BoundHandler<Context, typeof mandates.operations.setAlertTimes> =
  () => async (input, call) => {
    const { time_zone: timeZone, quiet, digest_at } = input
    const times = {
      timeZone,
      quiet: quiet === null ? null : { from: minuteOfText(quiet.from), to: minuteOfText(quiet.to) },
      digestAt: digest_at === null ? null : minuteOfText(digest_at),
    }
    return call.effect(async (tx) => {
      const ownerId = callerOf(call).account_id
      await storeAlertTimes(tx, ownerId, times, call.now)
      const since = new Date(call.now.getTime() - SENT_WITHIN_MS)
      for (const alert of await untriedAlerts(tx, ownerId, since))
        await postponeAlert(tx, alert.id, dueAt(alert, call.now, times))
      return ok(200, { ok: true as const, ...timesView(times) })
    })
  }
