import { venueFile } from '@svc/contracts/market-data/venues'
import { marketData } from '@svc/contracts/market-data'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { candleWindow } from '../rules/candle-window.ts'
import { tradeFeatures } from '../rules/trade-features.ts'
import type { VenueAdapter } from '#venues/rules/venue.ts'
import { candlesDue, putCandleFeatures, type CandleFeatures, type CandlesDue } from '../store/candles.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'clock' | 'led' | 'market' | 'errors'>

const AGAIN_MS = 3_600_000
/** Pause after which the database is asked again, if no candles were due. */
const IDLE_MS = 60_000
const FAILED_MS = 600_000
const PARALLEL = 4

/** Reads the candles that are due, with the part of the budget that the other jobs leave. */
export const readCandles =
  (context: Parts): Job =>
  async (signal) => {
    const done = await Promise.all([...context.led.values()].map(({ adapter }) => readVenue(context, adapter, signal)))
    const now = context.clock.now().getTime()
    // Rates of quote currencies come with the first observation, which wakes this job.
    const open = [...context.led.keys()].map((exchange) => context.market.of(exchange)).filter((state) => state.minute)
    const nextAt = Math.min(now + IDLE_MS, ...open.map((state) => state.nextCandlesAt))
    return { done: done.reduce((sum, one) => sum + one, 0), nextAt: new Date(nextAt) }
  }

async function readVenue(context: Parts, adapter: VenueAdapter, signal: AbortSignal): Promise<number> {
  const { pool, clock, market, errors } = context
  const state = market.of(adapter.exchange)
  const now = clock.now()
  if (state.minute === null || state.nextCandlesAt > now.getTime()) return 0
  for (const [instance, until] of state.candlesFailed) if (until <= now.getTime()) state.candlesFailed.delete(instance)
  const hourAgo = new Date(now.getTime() - AGAIN_MS)
  const { max } = marketData.jobs.readCandles
  const due = [...(await candlesDue(pool, adapter.exchange, hourAgo, [...state.candlesFailed.keys()], max))]
  if (due.length === 0) state.nextCandlesAt = now.getTime() + IDLE_MS
  const read: CandleFeatures[] = []
  const worker = async () => {
    for (let one = due.shift(); one !== undefined && !signal.aborted; one = due.shift()) {
      try {
        const candles = await adapter.candles(one.symbol, { priority: 'backfill', signal })
        const features = featuresOf(context, adapter, one, candles)
        if (features !== null) read.push(features)
      } catch (error) {
        const { kind, retryMs } = errors.count(error)
        // A pair that always fails must not block the others.
        if (kind !== 'budget') state.candlesFailed.set(one.instance_id, now.getTime() + FAILED_MS)
        if (retryMs === 0) continue
        state.nextCandlesAt = now.getTime() + retryMs
        due.length = 0
      }
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
  await putCandleFeatures(pool, read, now)
  return read.length
}

function featuresOf(
  { market, clock }: Parts,
  { exchange }: VenueAdapter,
  { instance_id, quote }: CandlesDue,
  candles: Parameters<typeof candleWindow>[0],
): CandleFeatures | null {
  const { max, fillsGaps } = venueFile(exchange).candles
  const end = market.of(exchange).venueTime ?? clock.now().getTime()
  const usd = market.usdRate(exchange, quote)
  const minutes = candleWindow(candles, { end, limit: max, fillsGaps, usd: usd ?? 0 })
  const features = tradeFeatures(minutes)
  if (features === null) return null
  return {
    instanceId: instance_id,
    minutes: minutes.length,
    zeroTradeShare: features.zeroTradeShare,
    amihud: usd === null ? null : features.amihudBpsPerThousandUsd,
  }
}
