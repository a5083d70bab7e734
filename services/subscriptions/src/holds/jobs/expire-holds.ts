import { subscriptions } from '@svc/contracts/subscriptions'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { endHold } from '../end-hold.ts'
import { lockHold } from '../lock-hold.ts'
import { dueHolds } from '../store/holds.ts'

/** Gives the Cherry of holds back that were neither captured nor released in time. */
export const expireHolds =
  ({ pool, clock }: Context): Job =>
  async (signal) => {
    const { max } = subscriptions.jobs.expireHolds
    const due = await dueHolds(pool, clock.now(), max)
    let done = 0
    for (const { id } of due) {
      if (signal.aborted) break
      done += await pool.transaction(async (tx) => {
        const locked = await lockHold(tx, id)
        // Captured, released or expired since it was listed.
        if (locked?.hold.state !== 'held') return 0
        const { hold, spentBefore } = locked
        await endHold(tx, hold, { state: 'expired', resources: [], spentBefore, at: clock.now() })
        return 1
      })
    }
    return due.length === max ? { done, nextAt: clock.now() } : { done }
  }
