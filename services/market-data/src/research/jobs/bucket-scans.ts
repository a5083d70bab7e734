import { HISTORY_DAYS_MAX } from '@svc/contracts/market-data/research'
import { marketData } from '@svc/contracts/market-data'
import type { Job } from '@svc/service'
import { readBucketVolumes } from '../bucket-volumes.ts'
import type { Context } from '#context.ts'
import { bucketDue, forgetBuckets, storeNextBucket } from '../store/scan-buckets.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'clock' | 'venues' | 'market' | 'errors' | 'bucketReading'>

const FORGET_MAX = 20_000
/** Time after two hours until their last scans are stored. */
const CLOSE_AFTER_MS = 300_000
/** Longest time for which a bucket waits for the candles of its pairs. */
const VOLUMES_WAIT_MS = 1_200_000
const BUCKET_MS = 7_200_000
const AGAIN_MS = 5_000

/**
 * Sums up and packs the scans of each completed two hours, with their volume from one call per pair, and deletes sums that
 * are older than the longest history.
 */
export const bucketScans =
  (context: Parts): Job =>
  async (signal) => {
    const { pool, clock, venues } = context
    // A process without venues cannot read volumes, so it leaves buckets to processes with venues.
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
    const forgotten = await forgetBuckets(pool, before, FORGET_MAX)
    return { done: done + forgotten, nextAt: nextAt(clock.now().getTime(), { full, waits }) }
  }

/** Returns when the job is due: at once after a full tick, soon while candles are missing, else when the next bucket closes. */
function nextAt(now: number, { full, waits }: { readonly full: boolean; readonly waits: boolean }): Date {
  if (full) return new Date(now)
  if (waits) return new Date(now + AGAIN_MS)
  return new Date((Math.floor((now - CLOSE_AFTER_MS) / BUCKET_MS) + 1) * BUCKET_MS + CLOSE_AFTER_MS)
}

async function storeOne(context: Parts, until: Date, signal: AbortSignal): Promise<'stored' | 'waits' | 'none'> {
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
