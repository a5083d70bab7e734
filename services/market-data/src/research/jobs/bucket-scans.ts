import { HISTORY_DAYS_MAX } from '@svc/contracts/market-data/research'
import { marketData } from '@svc/contracts/market-data'
import type { Job } from '@svc/service'
import { readBucketVolumes } from '../bucket-volumes.ts'
import type { Context } from '#context.ts'
import { bucketDue, forgetBuckets, storeNextBucket } from '../store/scan-buckets.ts'

const FORGET_MAX = 20_000
/** Scans may still be on their way to the database when their two hours end. */
const CLOSE_AFTER_MS = 300_000
/** A bucket waits so long for the candles of its pairs; then it is stored with what is known. */
const VOLUMES_WAIT_MS = 1_200_000
const BUCKET_MS = 7_200_000
const AGAIN_MS = 5_000

/**
 * Sums up and packs the scans of each two hours that ended, with their volume read in one call a pair, and forgets sums that
 * no history reaches.
 */
export const bucketScans =
  (context: Context): Job =>
  async (signal) => {
    const { pool, clock, venues } = context
    // Whoever reads no venue leaves volumes unread: buckets are for those who do.
    if (venues.size === 0) return { done: 0 }
    const until = new Date(clock.now().getTime() - CLOSE_AFTER_MS)
    let done = 0
    let waits = false
    while (done < marketData.jobs.bucketScans.max && !signal.aborted && !waits) {
      const step = await storeOne(context, until, signal)
      if (step === 'none') break
      waits = step === 'waits'
      done += waits ? 0 : 1
    }
    const before = new Date(clock.now().getTime() - (HISTORY_DAYS_MAX + 1) * 86_400_000)
    const full = done === marketData.jobs.bucketScans.max
    const nextAt = full || waits ? { nextAt: new Date(clock.now().getTime() + (full ? 0 : AGAIN_MS)) } : {}
    return { done: done + (await forgetBuckets(pool, before, FORGET_MAX)), ...nextAt }
  }

async function storeOne(context: Context, until: Date, signal: AbortSignal): Promise<'stored' | 'waits' | 'none'> {
  const { pool, clock } = context
  const due = await bucketDue(pool, until)
  if (due === null) return 'none'
  if (context.bucketReading?.begin.getTime() !== due.begin.getTime())
    context.bucketReading = { begin: due.begin, of: new Map(), tries: new Map() }
  const reading = context.bucketReading
  const whole = await readBucketVolumes(context, reading, due.pairs, signal)
  const late = clock.now().getTime() - due.begin.getTime() - BUCKET_MS > VOLUMES_WAIT_MS
  if (!whole && !late) return 'waits'
  const stored = await pool.transaction((tx) => storeNextBucket(tx, until, reading))
  return stored === null ? 'none' : 'stored'
}
