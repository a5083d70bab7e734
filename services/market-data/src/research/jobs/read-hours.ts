import { marketData } from '@svc/contracts/market-data'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { isDollar } from '#markets/rules/usd-rates.ts'
import type { VenueAdapter } from '#venues/rules/venue.ts'
import { venueFile } from '@svc/contracts/market-data/venues'
import { HOURS, targetHours } from '../rules/target-hours.ts'
import { forgetTargetHours, hoursDue, putTargetHours, type HoursDue, type ReadHours } from '../store/target-hours.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'clock' | 'led' | 'market' | 'errors' | 'hoursFailed'>

const DAY_MS = 86_400_000
/** Hours are read again after a day, so that they join without a gap to the scans. */
const AGAIN_MS = DAY_MS
const FAILED_MS = 60_000
const KEPT_MS = 22 * DAY_MS
const FORGET_MAX = 500
const PARALLEL = 4

/** Reads the last seven days of each watched pair by the hour, with one call a pair and day; those just added first. */
export const readHours =
  (context: Parts): Job =>
  async (signal) => {
    const { pool, clock, led, hoursFailed } = context
    const now = clock.now()
    for (const [instance, until] of hoursFailed) if (until <= now.getTime()) hoursFailed.delete(instance)
    const { max } = marketData.jobs.readHours
    const until = new Date(now.getTime() - AGAIN_MS)
    const due = await hoursDue(pool, [...led.keys()], until, [...hoursFailed.keys()], max)
    const done = await Promise.all(
      [...Map.groupBy(due, ({ exchange }) => exchange)].map(async ([exchange, pairs]) => {
        const adapter = led.get(exchange)?.adapter
        return adapter === undefined ? 0 : readVenue(context, adapter, pairs, signal)
      }),
    )
    const read = done.reduce((sum, one) => sum + one, 0)
    const forgotten = await forgetTargetHours(pool, new Date(now.getTime() - KEPT_MS), FORGET_MAX)
    return { done: read + forgotten, ...(due.length === max && read > 0 ? { nextAt: clock.now() } : {}) }
  }

async function readVenue(
  context: Parts,
  adapter: VenueAdapter,
  pairs: readonly HoursDue[],
  signal: AbortSignal,
): Promise<number> {
  const { pool, clock, market, errors, hoursFailed } = context
  const queue = [...pairs]
  const read: ReadHours[] = []
  const later = (pair: HoursDue) => hoursFailed.set(pair.instance_id, clock.now().getTime() + FAILED_MS)
  const worker = async () => {
    for (let pair = queue.shift(); pair !== undefined && !signal.aborted; pair = queue.shift()) {
      const { symbol, quote, instance_id } = pair
      try {
        const candles = await adapter.hours(symbol, { priority: 'rotation', signal }, HOURS + 1)
        const hours = targetHours(candles, {
          end: market.of(adapter.exchange).venueTime ?? clock.now().getTime(),
          fillsGaps: venueFile(adapter.exchange).candles.fillsGaps,
          usd: market.usdRate(adapter.exchange, quote) ?? (isDollar(quote) ? 1 : null),
        })
        if (hours === null) later(pair)
        else read.push({ instanceId: instance_id, ...hours })
      } catch (error) {
        // A pair that always fails must not block the others, and a venue that is closed is not asked for the rest.
        later(pair)
        if (errors.count(error).retryMs > 0) queue.length = 0
      }
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
  await putTargetHours(pool, adapter.exchange, read, clock.now())
  return read.length
}
