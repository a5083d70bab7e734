import { HISTORY_DAYS_MAX } from '@svc/contracts/market-data-research'
import { marketData } from '@svc/contracts/market-data'
import type { Job } from '@svc/service'
import type { Context } from '../context.ts'
import { forgetBuckets, storeNextBucket } from '../store/scan-buckets.ts'

const FORGET_MAX = 20_000

/** Stores what the scans of each two hours say, once they are packed, and forgets what no history reaches. */
export const bucketScans =
  ({ pool, clock }: Context): Job =>
  async (signal) => {
    let done = 0
    while (done < marketData.jobs.bucketScans.max && !signal.aborted) {
      if ((await pool.transaction(storeNextBucket)) === null) break
      done += 1
    }
    const before = new Date(clock.now().getTime() - (HISTORY_DAYS_MAX + 1) * 86_400_000)
    return { done: done + (await forgetBuckets(pool, before, FORGET_MAX)) }
  }
