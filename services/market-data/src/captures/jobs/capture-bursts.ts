import { marketData } from '@svc/contracts/market-data'
import type { Job } from '@svc/service'
import type { RunningCapture } from '../capturing.ts'
import type { Context } from '#context.ts'
import { midOf } from '#markets/rules/book.ts'
import { captureCause } from '../rules/capture-plan.ts'
import { findMicrobursts, type BookSample } from '../rules/microburst.ts'
import { tradeTape } from '../rules/trade-tape.ts'
import { isDollar } from '#markets/rules/usd-rates.ts'
import type { Book, Side } from '#venues/rules/venue.ts'
import { captureCandidates, claimCapture, endCapture } from '../store/captures.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'clock' | 'venues' | 'led' | 'market' | 'errors' | 'capturing'>

const CAPTURE_MS = 60_000
const LOOK_MS = 5_000
const POLL_MS = 1_000
const LEVELS = 20
const RUNNING_MAX = marketData.jobs.captureBursts.max

/** Polls each running capture once per tick, ends captures after a minute, and begins those that are due. */
export const captureBursts =
  (context: Parts): Job =>
  async (signal) => {
    const { clock, capturing } = context
    await Promise.all([...capturing.running.values()].map((one) => poll(context, one, signal)))
    const now = clock.now()
    let done = 0
    for (const one of capturing.running.values()) {
      if (now.getTime() < one.startedAt.getTime() + CAPTURE_MS) continue
      await finish(context, one)
      done += 1
    }
    const early = now.getTime() < capturing.nextLookAt
    if (!early) {
      capturing.nextLookAt = now.getTime() + LOOK_MS
      await begin(context, now)
    }
    if (capturing.running.size > 0) return { done, nextAt: new Date(now.getTime() + POLL_MS) }
    // What starts a capture is a scan, which wakes this job.
    return early ? { done, nextAt: new Date(capturing.nextLookAt) } : { done }
  }

async function begin({ pool, led, market, capturing }: Parts, now: Date): Promise<void> {
  if (led.size === 0) return
  for (const candidate of await captureCandidates(pool, now)) {
    const { exchange, symbol, quote, instance_id: instanceId } = candidate
    if (capturing.running.size >= RUNNING_MAX) return
    const usd = market.usdRate(exchange, quote) ?? (isDollar(quote) ? 1 : null)
    const cause = captureCause(candidate, now.getTime())
    if (cause === null || usd === null || !led.has(exchange) || capturing.running.has(instanceId)) continue
    if (!(await pool.transaction((tx) => claimCapture(tx, instanceId, cause, now)))) continue
    capturing.running.set(instanceId, {
      instanceId,
      exchange,
      symbol,
      usd,
      startedAt: now,
      tape: tradeTape(),
      books: [],
    })
  }
}

/** Captures have the lowest priority: without an allowance or an answer only one second of the capture is missing. */
async function poll({ venues, errors }: Parts, capture: RunningCapture, signal: AbortSignal): Promise<void> {
  const adapter = venues.get(capture.exchange)?.adapter
  if (adapter === undefined) return
  const ask = { priority: 'backfill', signal } as const
  const [trades, books] = await Promise.allSettled([
    adapter.trades(capture.symbol, ask),
    adapter.books([capture.symbol], ask),
  ])
  for (const one of [trades, books]) if (one.status === 'rejected') errors.count(one.reason)
  if (trades.status === 'fulfilled') capture.tape.add(trades.value)
  const book = books.status === 'fulfilled' ? books.value[0] : undefined
  const sample = book === undefined ? null : sampleOf(book, capture.usd)
  if (sample !== null) capture.books.push(sample)
}

function sampleOf(book: Book, usd: number): BookSample | null {
  const mid = midOf(book)
  const depth = (side: Side) => side.slice(0, LEVELS).reduce((sum, [price, amount]) => sum + price * amount * usd, 0)
  return mid === null
    ? null
    : { timeMs: book.receivedAt, mid, bidDepthUsd: depth(book.bids), askDepthUsd: depth(book.asks) }
}

async function finish({ pool, capturing }: Parts, capture: RunningCapture): Promise<void> {
  const { instanceId, startedAt, tape, usd, books } = capture
  const startMs = startedAt.getTime()
  const endMs = startMs + CAPTURE_MS
  const fills = tape.fills(usd).filter(({ timeMs }) => timeMs >= startMs && timeMs <= endMs)
  await endCapture(pool, instanceId, startedAt, {
    endedAt: new Date(endMs),
    fills: fills.length,
    books: books.length,
    bursts: findMicrobursts({ startMs, endMs, fills, books }),
  })
  capturing.running.delete(instanceId)
}
