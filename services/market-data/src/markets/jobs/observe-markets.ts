import { createHash } from 'node:crypto'
import { isOutage, type Job } from '@svc/service'
import type { Context } from '#context.ts'
import { spreadBps } from '../rules/book.ts'
import { priceOf, usdRatesOf } from '../rules/usd-rates.ts'
import { clockOf } from '#venues/rules/venue-times.ts'
import type { Quote } from '#venues/rules/venue.ts'
import type { MeasuredBook, VenueState } from '../market-state.ts'
import { putObservation, type Observed } from '../store/observations.ts'
import { putPrices, putTerms } from '../store/venue-states.ts'
import { packQuotes, termsToKeep } from '../venue-states.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'clock' | 'log' | 'led' | 'market' | 'errors'>

const MINUTE_MS = 60_000
const AGAIN_MS = 5_000
/** With fewer pairs an unchanged answer is plausible. */
const PRINT_MIN = 20
/** An answer with a smaller share of the pairs of the last answer is rejected. */
const COMPLETE_SHARE = 0.9
/** After this number of rejected answers the next one is accepted: the venue has changed. */
const SHORT_ANSWERS_MAX = 30

/** Observes every venue once in each minute of the clock. */
export const observeMarkets =
  (context: Parts): Job =>
  async (signal) => {
    const { led, clock, market, errors } = context
    const now = clock.now()
    const minute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS
    const due = [...led.values()].filter(({ adapter }) => {
      const state = market.of(adapter.exchange)
      // The first minute is observed repeatedly, so that the first board does not wait for the second minute.
      const filling = state.minute === state.firstMinute
      return state.instances.size > 0 && (state.minute !== minute || filling) && state.nextObserveAt <= now.getTime()
    })
    const done = await Promise.all(
      due.map(async ({ adapter }) => {
        const state = market.of(adapter.exchange)
        state.nextObserveAt = now.getTime() + AGAIN_MS
        try {
          const quotes = await adapter.quotes({ priority: 'rotation', signal })
          return (await observe(context, adapter.exchange, state, quotes, new Date(minute))) ? 1 : 0
        } catch (error) {
          if (isOutage(error)) throw error
          context.log.debug({ exchange: adapter.exchange, reason: errors.count(error).message }, 'quotes not read')
          return 0
        }
      }),
    )
    return { done: done.reduce<number>((sum, one) => sum + one, 0), nextAt: new Date(nextLook(context, now.getTime())) }
  }

/** Returns when a venue is observed next: at its next try, or at the beginning of the next minute. */
function nextLook({ led, market }: Parts, now: number): number {
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS
  const known = [...led.keys()].map((exchange) => market.of(exchange)).filter(({ instances }) => instances.size > 0)
  const tries = known.map((state) =>
    state.minute === minute && state.minute !== state.firstMinute
      ? minute + MINUTE_MS
      : Math.min(state.nextObserveAt, minute + MINUTE_MS),
  )
  return Math.min(minute + MINUTE_MS, ...tries)
}

async function observe(
  { pool, market, errors }: Parts,
  exchange: string,
  state: VenueState,
  quotes: readonly Quote[],
  minute: Date,
): Promise<boolean> {
  const known = quotes.filter((quote) => state.instances.has(quote.symbol))
  const print = printOf(known)
  if (known.length >= PRINT_MIN && print === state.quotesPrint && state.minute !== minute.getTime()) {
    errors.add(exchange, 'stale')
    return false
  }
  if (known.length < state.quotesCount * COMPLETE_SHARE && state.shortAnswers < SHORT_ANSWERS_MAX) {
    state.shortAnswers += 1
    errors.add(exchange, 'short_list')
    return false
  }
  state.shortAnswers = 0
  state.quotesCount = known.length
  state.rates = usdRatesOf(known, market.usdRateElsewhere(exchange, 'BTC'))
  state.ratesAt = minute.getTime()
  if (state.minute !== minute.getTime()) state.minuteBooks.clear()
  for (const [instance, book] of state.books) state.minuteBooks.set(instance, book)
  state.books.clear()
  const bySymbol = new Map(known.map((quote) => [quote.symbol, quote]))
  state.quotes = bySymbol
  const rows = [...state.instances.values()].flatMap(({ symbol, instance_id, quote: currency }): Observed[] => {
    const quote = bySymbol.get(symbol)
    const book = state.minuteBooks.get(instance_id)
    if (quote === undefined && book === undefined) return []
    return [observed(instance_id, quote, book, market.usdRate(exchange, currency))]
  })
  const venueTime = clockOf(known.map(({ at }) => at))
  const packed = await packQuotes(bySymbol)
  const terms = await termsToKeep(state)
  // In one transaction, so that the next process of the venue does not observe the minute again.
  await pool.transaction(async (tx) => {
    await putObservation(tx, exchange, minute, rows, state.booksSynthetic)
    await putPrices(tx, exchange, { minute, venueTime, print, rates: state.rates, quotes: packed })
    if (terms !== null) await putTerms(tx, exchange, terms)
  })
  if (terms !== null) state.kept = terms
  state.quotesPrint = print
  state.venueTime = venueTime
  state.minute = minute.getTime()
  state.firstMinute ??= state.minute
  return true
}

function observed(
  instanceId: number,
  quote: Quote | undefined,
  book: MeasuredBook | undefined,
  usd: number | null,
): Observed {
  const { bid = null, ask = null, quoteVolume24h = null, change24hPct = null } = quote ?? {}
  return {
    instanceId,
    price: quote === undefined ? null : (quote.last ?? priceOf(quote)),
    spreadBps: bid !== null && ask !== null ? spreadBps(bid, ask) : (book?.spreadBps ?? null),
    volume24hUsd: quoteVolume24h === null || usd === null ? null : quoteVolume24h * usd,
    change24hPct,
    depth2pctUsd: book?.depthUsd ?? null,
    depthTruncated: book?.truncated ?? null,
  }
}

/** Returns a hash that is equal for answers with the same figures of every pair. */
function printOf(quotes: readonly Quote[]): string {
  const hash = createHash('sha1')
  for (const { symbol, bid, ask, last, quoteVolume24h } of quotes)
    hash.update(`${symbol} ${bid} ${ask} ${last} ${quoteVolume24h}\n`)
  return hash.digest('base64')
}
