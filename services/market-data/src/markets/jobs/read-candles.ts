import { venueFile } from '@svc/contracts/market-data/venues'
import { marketData } from '@svc/contracts/market-data'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { candleWindow } from '../rules/candle-window.ts'
import { isDollar } from '../rules/usd-rates.ts'
import { tradeFeatures } from '../rules/trade-features.ts'
import type { Priority, VenueAdapter } from '#venues/rules/venue.ts'
import type { VenueState } from '../market-state.ts'
import type { TradeMinute } from '../rules/trade-features.ts'
import { closesDue, putCloses, type CandleCloses, type ClosesDue } from '../store/candle-closes.ts'
import { candlesDue, putCandleFeatures, type CandleFeatures, type CandlesDue } from '../store/candles.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'clock' | 'led' | 'market' | 'errors'>

const MINUTE_MS = 60_000
const AGAIN_MS = 3_600_000
/** Pause after which the database is asked again, if no candles were due. */
const IDLE_MS = 60_000
const FAILED_MS = 600_000
const PARALLEL = 4
/** Pairs of a venue, by volume, whose missing prices are filled like those of targets: before the hourly reads of all pairs. */
const LARGEST = 500
/** Closes that are kept: the hour that the crash rule compares, its tolerance, and ten minutes until all of these are read. */
const CLOSES = 75

/**
 * Reads the candles that are due, with the part of the budget that the other jobs leave: every pair once an hour. After a gap
 * in which nobody observed a venue, also after the first start, its pairs are due at once, targets and the largest first.
 */
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
  const failed = [...state.candlesFailed.keys()]
  const gaps = filled(state, await closesDue(pool, adapter.exchange, new Date(state.minute), failed))
  const usual = gaps.length >= max ? [] : await candlesDue(pool, adapter.exchange, hourAgo, failed, max)
  const inGaps = new Set(gaps.map(({ instance_id }) => instance_id))
  const due: Due[] = [...gaps, ...usual.filter(({ instance_id }) => !inGaps.has(instance_id))].slice(0, max)
  if (due.length === 0) state.nextCandlesAt = now.getTime() + IDLE_MS
  const read: CandleFeatures[] = []
  const closes: CandleCloses[] = []
  const worker = async () => {
    for (let one = due.shift(); one !== undefined && !signal.aborted; one = due.shift()) {
      try {
        const candles = await adapter.candles(one.symbol, { priority: one.priority ?? 'backfill', signal })
        const minutes = minutesOf(context, adapter, one, candles)
        const features = featuresOf(context, one, minutes)
        if (features !== null) read.push(features)
        if (one.priority !== undefined) closes.push(closesOf(one, minutes, now))
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
  await putCloses(pool, closes)
  return read.length
}

/** A pair whose candles are due; with a priority, its closes fill missing prices. */
type Due = CandlesDue & { readonly priority?: Priority }

/** Returns pairs with missing prices, those first that the rules should judge first. */
function filled({ quotes, rates }: VenueState, pairs: readonly ClosesDue[]): readonly Due[] {
  const volume = ({ symbol, quote }: ClosesDue) =>
    (quotes.get(symbol)?.quoteVolume24h ?? 0) * (rates.get(quote) ?? (isDollar(quote) ? 1 : 0))
  const largest = pairs.map((pair) => ({ pair, volume: volume(pair) })).toSorted((a, b) => b.volume - a.volume)
  return largest
    .map(({ pair }, place) => ({ pair, isLarge: place < LARGEST }))
    .toSorted((a, b) => Number(b.pair.is_target) - Number(a.pair.is_target))
    .map(({ pair, isLarge }): Due => ({ ...pair, priority: pair.is_target || isLarge ? 'rotation' : 'backfill' }))
}

interface Minutes {
  /** Minute after the last one since 1970. */
  readonly end: number
  readonly minutes: readonly TradeMinute[]
}

function minutesOf(
  { market, clock }: Parts,
  { exchange }: VenueAdapter,
  { quote }: Due,
  candles: Parameters<typeof candleWindow>[0],
): Minutes {
  const { max, fillsGaps } = venueFile(exchange).candles
  const end = market.of(exchange).venueTime ?? clock.now().getTime()
  const usd = market.usdRate(exchange, quote) ?? 0
  return { end: Math.floor(end / MINUTE_MS), minutes: candleWindow(candles, { end, limit: max, fillsGaps, usd }) }
}

function featuresOf(
  { market }: Parts,
  { exchange, instance_id, quote }: Due,
  { minutes }: Minutes,
): CandleFeatures | null {
  const features = tradeFeatures(minutes)
  if (features === null) return null
  const { zeroTradeShare, amihudBpsPerThousandUsd } = features
  const amihud = market.usdRate(exchange, quote) === null ? null : amihudBpsPerThousandUsd
  return { instanceId: instance_id, minutes: minutes.length, zeroTradeShare, amihud }
}

/** Returns the newest closes. Before its first candle a pair has none: the venue may have listed it then. */
function closesOf({ instance_id }: Due, { end, minutes }: Minutes, now: Date): CandleCloses {
  const closes = minutes.slice(-CLOSES).map(({ close }) => (close > 0 ? close : null))
  const firstTraded = minutes.findIndex(({ close }) => close > 0)
  const at = (minute: number) => new Date(minute * MINUTE_MS)
  const firstMinute = end - Math.max(closes.length, 1)
  return {
    instanceId: instance_id,
    firstMinute: at(firstMinute),
    tradedSince: at(firstTraded === -1 ? firstMinute : Math.min(firstMinute, end - minutes.length + firstTraded)),
    closes,
    readAt: now,
  }
}
