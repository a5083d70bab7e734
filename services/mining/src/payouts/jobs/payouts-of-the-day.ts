import { mining } from '@svc/contracts/mining'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { utcDayOf } from '../rules/utc-day.ts'
import { lockMiner } from '#miners/store/miners.ts'
import { accountsDue } from '../store/payouts.ts'
import { releasePayouts } from '../store/release-payouts.ts'

/** Releases the queued payouts that fit into the UTC day, account by account. */
export const payoutsOfTheDay =
  ({ pool, clock, dailyLimit }: Context): Job =>
  async (signal) => {
    const today = utcDayOf(clock.now())
    let done = 0
    const { max } = mining.jobs.payoutsOfTheDay
    const due = await accountsDue(pool, today, max)
    for (const account of due) {
      if (signal.aborted) break
      done += await pool.transaction(async (tx) => {
        await lockMiner(tx, account)
        return releasePayouts(tx, account, dailyLimit, today)
      })
    }
    return { done, ...(due.length === max ? { nextAt: clock.now() } : {}) }
  }
