import { HISTORY_DAYS_MAX } from '@svc/contracts/market-data-research'
import { marketData } from '@svc/contracts/market-data'
import type { Job } from '@svc/service'
import type { Context } from '../context.ts'
import { forgetBuckets, storeNextBucket } from '../store/scan-buckets.ts'

const FORGET_MAX = 20_000
/** Scans may still be on their way to the database when their two hours end. */
const CLOSE_AFTER_MS = 300_000

/** Sums up and packs the scans of each two hours that ended, and forgets sums that no history reaches. */
export const bucketScans =
  ({ pool, clock }: Context): Job =>
  async (signal) => {
    const until = new Date(clock.now().getTime() - CLOSE_AFTER_MS)
    let done = 0
    while (done < marketData.jobs.bucketScans.max && !signal.aborted) {
      if ((await pool.transaction((tx) => storeNextBucket(tx, until))) === null) break
      done += 1
    }
    const before = new Date(clock.now().getTime() - (HISTORY_DAYS_MAX + 1) * 86_400_000)
    const nextAt = done === marketData.jobs.bucketScans.max ? { nextAt: clock.now() } : {}
    return { done: done + (await forgetBuckets(pool, before, FORGET_MAX)), ...nextAt }
  }
