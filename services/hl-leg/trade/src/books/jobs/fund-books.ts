import { hlTrade } from '@svc/contracts/hl-trade'
import { isOutage, type Job } from '@svc/service'
import type { Context } from '#context.ts'
import {
  knownTo,
  lockOwingBooks,
  owingCoins,
  payLocked,
  storeOracles,
  storeRates,
  unknownHours,
  type Owing,
} from '../store/funding.ts'
import { forgetHourly } from '../store/marks.ts'
import { readVenueMarks } from '../venue-scene.ts'

const HOUR_MS = 3_600_000
/** The venue stamps rates up to 100 ms past the hour. */
const PUBLISHED_MS = 5_000
/** An hour without a published rate has none after this time. */
const SETTLED_MS = 24 * HOUR_MS
const COINS_MAX = 2_000
/** Markets whose rates one run asks for, so that paper books leave most of the relays' weight to the relays. */
const ASKED_MAX = 3
const AGAIN_MS = 30_000
/** Ages of a reading that may be asked for. */
const AGE_MS_MIN = 250
const AGE_MS_MAX = 60_000
const BATCH = 500
const FORGOTTEN_MAX = 10_000

/** Full hour at or before an instant. */
const hourOf = (at: number): Date => new Date(Math.floor(at / HOUR_MS) * HOUR_MS)

/**
 * Pays the funding of each full hour once it is published, hours that were missed included. The oracle price of an hour is
 * the one that was read first at or after it.
 */
export const fundBooks =
  (context: Context): Job =>
  async (signal) => {
    const { pool, clock } = context
    const now = clock.now().getTime()
    const hour = hourOf(now - PUBLISHED_MS)
    const next = new Date(hour.getTime() + HOUR_MS + PUBLISHED_MS)
    const owing = await owingCoins(pool, hour, COINS_MAX)
    if (owing.length > 0) await readOracles(context, owing, hour)
    const isComplete = await readRates(context, owing, hour, signal)
    const done = await payAll(context, owing, hour, signal)
    if (isComplete) await forgetHourly(pool, clock.now(), FORGOTTEN_MAX)
    return { done, nextAt: isComplete ? next : new Date(now + AGAIN_MS) }
  }

/** Stores the oracle prices that hours without one are funded at. */
async function readOracles(context: Context, owing: readonly Owing[], hour: Date): Promise<void> {
  const since = new Map(owing.map((one) => [one.coin, one.since]))
  const sinceHour = context.clock.now().getTime() - hour.getTime()
  const maxAgeMs = Math.min(AGE_MS_MAX, Math.max(AGE_MS_MIN, sinceHour))
  const markets = await readVenueMarks(context, [...since.keys()], maxAgeMs)
  const read = markets.flatMap(({ coin, oracle_price, read_at }) => {
    const from = since.get(coin)
    const isUsable = Date.parse(read_at) >= hour.getTime() && /[1-9]/.test(oracle_price)
    return from === undefined || !isUsable ? [] : [{ coin, since: from, oracle: oracle_price, at: new Date(read_at) }]
  })
  await storeOracles(context.pool, read, hour)
}

/** Asks the venue for rates that are not known; returns false if some are left for the next run. */
async function readRates(context: Context, owing: readonly Owing[], hour: Date, signal: AbortSignal): Promise<boolean> {
  const { pool, venue, clock, log } = context
  if (owing.length === 0) return true
  const unknown = await unknownHours(pool, owing, hour)
  for (const { coin, first } of unknown.slice(0, ASKED_MAX)) {
    if (signal.aborted) return false
    try {
      const span = { startTime: first.getTime(), endTime: hour.getTime() + HOUR_MS - 1 }
      const published = await venue.ask('relays', 'fundingHistory', { coin, ...span })
      const rates = published.map(({ time, fundingRate }) => ({ hour: hourOf(time), rate: fundingRate }))
      const settledTo = new Date(clock.now().getTime() - SETTLED_MS)
      await storeRates(pool, coin, rates, { first, settledTo })
    } catch (error) {
      if (!isOutage(error)) throw error
      log.warn({ err: error, coin }, 'the venue did not answer the funding of a market')
      return false
    }
  }
  return (await unknownHours(pool, owing, hour)).length === 0
}

async function payAll(context: Context, owing: readonly Owing[], hour: Date, signal: AbortSignal): Promise<number> {
  const { pool, clock } = context
  const known = owing.length === 0 ? [] : await knownTo(pool, owing, hour)
  const { max } = hlTrade.jobs.fundBooks
  let paid = 0
  for (let after = 0; known.length > 0 && paid < max && !signal.aborted;) {
    const batch = await pool.transaction(async (tx) => {
      const ids = await lockOwingBooks(tx, known, after, BATCH)
      return { ids, paid: ids.length === 0 ? 0 : await payLocked(tx, ids, known, clock.now()) }
    })
    paid += batch.paid
    const last = batch.ids.at(-1)
    if (last === undefined || batch.ids.length < BATCH) break
    after = last
  }
  return paid
}
