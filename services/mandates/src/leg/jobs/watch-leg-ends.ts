import { mandates } from '@svc/contracts/mandates'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { lockMandateById } from '#mandate/store/mandates.ts'
import { APPROVAL_ENDS, earlyEnd, GRACE_SEC, toldBy } from '../rules/leg-alerts.ts'
import { legOf, legsEnding } from '../store/legs.ts'
import { tellEarlyEnd } from '../tell-early-end.ts'

/** Alerts owners a week before the approval of their leg's key ends early, once for each end. */
export const watchLegEnds =
  ({ pool, clock, alerts }: Context): Job =>
  async (signal) => {
    const now = clock.now()
    const { max } = mandates.jobs.watchLegEnds
    const ending = await legsEnding(pool, { kind: APPROVAL_ENDS, by: toldBy(now), graceSec: GRACE_SEC }, max)
    let done = 0
    for (const id of ending) {
      if (signal.aborted) return { done, nextAt: now }
      done += await pool.transaction(async (tx) => {
        const mandate = await lockMandateById(tx, id)
        const leg = await legOf(tx, id)
        const end = leg === null ? null : earlyEnd(leg, mandate.limits.endsAt, now)
        if (end === null) return 0
        await tellEarlyEnd(tx, { alerts }, mandate, end, now)
        return 1
      })
    }
    return ending.length === max ? { done, nextAt: now } : { done }
  }
