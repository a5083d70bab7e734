import { marketData } from '@svc/contracts/market-data'
import type { Job } from '@svc/service'
import type { Context } from '../context.ts'
import { candleWindow } from '../domain/candle-window.ts'
import { tradeFeatures } from '../domain/trade-features.ts'
import type { VenueAdapter } from '../domain/venue.ts'
import { candlesDue, putCandleFeatures, type CandleFeatures, type CandlesDue } from '../store/candles.ts'
import { venueLimits } from '../venues/venue-limits.ts'

const AGAIN_MS = 3_600_000
const PARALLEL = 4

/** Reads the candles of the pairs whose turn it is, with what the other jobs leave of the budget. */
export const readCandles =
  (context: Context): Job =>
  async (signal) => {
    const done = await Promise.all(
      [...context.venues.values()].map(({ adapter }) => readVenue(context, adapter, signal)),
    )
    return { done: done.reduce((sum, one) => sum + one, 0) }
  }

async function readVenue(context: Context, adapter: VenueAdapter, signal: AbortSignal): Promise<number> {
  const { pool, clock, market, errors } = context
  const state = market.of(adapter.exchange)
  // The rates of the quote currencies come with the first observation.
  if (state.minute === null) return 0
  const now = clock.now()
  const due = [
    ...(await candlesDue(pool, adapter.exchange, new Date(now.getTime() - AGAIN_MS), marketData.jobs.readCandles.max)),
  ]
  const read: CandleFeatures[] = []
  const worker = async () => {
    for (let one = due.shift(); one !== undefined && !signal.aborted; one = due.shift()) {
      try {
        const candles = await adapter.candles(one.symbol, { priority: 'backfill', signal })
        const features = featuresOf(context, adapter, one, candles)
        if (features !== null) read.push(features)
      } catch (error) {
        if (errors.count(error).retryMs > 0) due.length = 0
      }
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
  await putCandleFeatures(pool, read, now)
  return read.length
}

function featuresOf(
  { market, clock }: Context,
  { exchange }: VenueAdapter,
  { instance_id, quote }: CandlesDue,
  candles: Parameters<typeof candleWindow>[0],
): CandleFeatures | null {
  const limits = venueLimits[exchange]
  const end = market.of(exchange).venueTime ?? clock.now().getTime()
  const usd = market.usdRate(exchange, quote)
  const minutes = candleWindow(candles, { end, limit: limits.candles, fillsGaps: limits.fillsGaps, usd: usd ?? 0 })
  const features = tradeFeatures(minutes)
  if (features === null) return null
  return {
    instanceId: instance_id,
    minutes: minutes.length,
    zeroTradeShare: features.zeroTradeShare,
    amihud: usd === null ? null : features.amihudBpsPerThousandUsd,
  }
}
