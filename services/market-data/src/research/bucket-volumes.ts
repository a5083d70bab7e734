import { venueFile } from '@svc/contracts/market-data/venues'
import { BUCKET_MINUTES } from '@svc/contracts/market-data/research'
import type { Context } from '#context.ts'
import { bucketVolume, type BucketReading } from './rules/bucket-volume.ts'
import { candleWindow } from '#markets/rules/candle-window.ts'
import { isDollar } from '#markets/rules/usd-rates.ts'
import type { ScannedPair } from './store/scan-buckets.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'clock' | 'venues' | 'market' | 'errors'>

const MINUTE_MS = 60_000
/** Failures after which the candles of a pair are given up; its volume then comes from its scans. */
const TRIES_MAX = 3
const PARALLEL = 4

/** Reads the candles of a bucket, one call per pair. Returns true if no pair is left to read. */
export async function readBucketVolumes(
  context: Parts,
  reading: BucketReading,
  pairs: readonly ScannedPair[],
  signal: AbortSignal,
): Promise<boolean> {
  const open = ({ instance_id }: ScannedPair) =>
    !reading.of.has(instance_id) && (reading.tries.get(instance_id) ?? 0) < TRIES_MAX
  const byVenue = Map.groupBy(pairs.filter(open), (pair) => pair.exchange)
  await Promise.all(
    [...byVenue.values()].map(async (due) => {
      const worker = async () => {
        for (let pair = due.shift(); pair !== undefined && !signal.aborted; pair = due.shift())
          if (!(await readPair(context, reading, pair, signal))) due.length = 0
      }
      await Promise.all(Array.from({ length: PARALLEL }, worker))
    }),
  )
  return !pairs.some(open)
}

/** Reads one pair. Returns false if the venue must not be called for now. */
async function readPair(
  { venues, market, clock, errors }: Parts,
  { begin, of, tries }: BucketReading,
  { instance_id, exchange, symbol, quote }: ScannedPair,
  signal: AbortSignal,
): Promise<boolean> {
  const adapter = venues.get(exchange)?.adapter
  const usd = market.usdRate(exchange, quote) ?? (isDollar(quote) ? 1 : null)
  if (adapter === undefined || usd === null) {
    tries.set(instance_id, TRIES_MAX)
    return true
  }
  const { max, fillsGaps } = venueFile(adapter.exchange).candles
  const end = begin.getTime() + BUCKET_MINUTES * MINUTE_MS
  const count = Math.ceil((clock.now().getTime() - begin.getTime()) / MINUTE_MS) + 2
  if (count > max) {
    // The bucket is too old for one call.
    tries.set(instance_id, TRIES_MAX)
    return true
  }
  try {
    const candles = await adapter.candles(symbol, { priority: 'rotation', signal }, count)
    const minutes = candleWindow(candles, { end, limit: count, fillsGaps, usd }).slice(-BUCKET_MINUTES)
    const volume = candles.length === 0 ? null : bucketVolume(minutes)
    if (volume !== null) of.set(instance_id, volume)
    else tries.set(instance_id, TRIES_MAX)
    return true
  } catch (error) {
    const { kind, retryMs } = errors.count(error)
    if (kind !== 'budget') tries.set(instance_id, (tries.get(instance_id) ?? 0) + 1)
    return retryMs === 0
  }
}
