import { medianOf } from '#markets/rules/rolling-day.ts'

/** One fill as a venue publishes it; `side` is the aggressor's. */
export interface Fill {
  /** The exchange's time. The time of receipt would merge fills of one packet. */
  readonly timeMs: number
  readonly side: 'buy' | 'sell'
  readonly price: number
  readonly notionalUsd: number
}

/** The book at one moment of a capture. */
export interface BookSample {
  readonly timeMs: number
  readonly mid: number
  /** Of the captured levels, usually the top 20 of each side. */
  readonly bidDepthUsd: number
  readonly askDepthUsd: number
}

/** A gap-free recording of one market. */
export interface Capture {
  readonly startMs: number
  readonly endMs: number
  readonly fills: readonly Fill[]
  /** In time order; empty if no book was recorded. */
  readonly books: readonly BookSample[]
}

/** All fills of one market order: same exchange time, same side. */
export interface AggressorOrder {
  readonly timeMs: number
  readonly side: 'buy' | 'sell'
  readonly fills: number
  readonly notionalUsd: number
  readonly lowPrice: number
  readonly highPrice: number
}

export interface Microburst {
  readonly startMs: number
  readonly durationMs: number
  readonly orders: number
  readonly fills: number
  readonly notionalUsd: number
  /** Buys minus sells. */
  readonly signedNotionalUsd: number
  /** Highest over lowest fill price. */
  readonly rangeBps: number
  /** Orders of the densest second divided by the capture's rate. */
  readonly rateRatio: number
  /** Probability of that second in a Poisson stream with the capture's rate. */
  readonly poissonTail: number
  /** Change of mid from before the burst to its end; null without books on both sides of it. */
  readonly impactBps: number | null
  /** From the end of the burst until half of the lost depth returned; 0 if before the end; null if no depth was lost or it
   * did not return in the capture. */
  readonly replenishmentHalfLifeMs: number | null
  /** Share of the impact that was reversed after 10 and 60 s; null if not observed or without impact. */
  readonly reversion10s: number | null
  readonly reversion60s: number | null
}

/** Merges fills with the same exchange time and side: a sweep through twenty levels is one decision. In time order. */
export function mergeFills(fills: readonly Fill[]): AggressorOrder[] {
  const orders = new Map<string, AggressorOrder>()
  for (const { timeMs, side, price, notionalUsd } of fills) {
    const key = `${timeMs} ${side}`
    const known = orders.get(key)
    orders.set(key, {
      timeMs,
      side,
      fills: (known?.fills ?? 0) + 1,
      notionalUsd: (known?.notionalUsd ?? 0) + notionalUsd,
      lowPrice: Math.min(known?.lowPrice ?? price, price),
      highPrice: Math.max(known?.highPrice ?? price, price),
    })
  }
  return [...orders.values()].sort((a, b) => a.timeMs - b.timeMs)
}

/** Limits of a burst: a second that a steady stream does not produce, and a minimum notional. */
export interface BurstRule {
  readonly ordersMin: number
  readonly rateRatioMin: number
  readonly poissonTailMax: number
  readonly notionalUsdMin: number
  readonly depthShareMin: number
}

export const BURST_RULE: BurstRule = {
  ordersMin: 8,
  rateRatioMin: 5,
  poissonTailMax: 1e-6,
  notionalUsdMin: 500,
  depthShareMin: 0.05,
}

const windowMs = 1000
const calmRatio = 2
const calmMs = 2000

/**
 * Finds the bursts of a capture. One begins with an order that at least `ordersMin − 1` others follow within a second,
 * if that number is `rateRatioMin` times the capture's rate and less likely than `poissonTailMax`. It lasts until the rate
 * has been below twice the capture's rate for two seconds. Its notional must be at least $500 and 5 % of the captured depth
 * on the side that it hit.
 */
export function findMicrobursts(capture: Capture, rule: BurstRule = BURST_RULE): Microburst[] {
  const orders = mergeFills(capture.fills.filter(({ timeMs }) => timeMs >= capture.startMs && timeMs <= capture.endMs))
  const seconds = (capture.endMs - capture.startMs) / 1000
  if (orders.length === 0 || seconds <= 0) return []
  const perSecond = orders.length / seconds
  const bursts: Microburst[] = []
  const within = ordersWithinWindow(orders)
  for (let first = 0; first < orders.length; first += 1) {
    const count = within[first] ?? 0
    if (count < rule.ordersMin || count < rule.rateRatioMin * perSecond) continue
    // The second was chosen to begin with an order: only the other orders are random.
    if (poissonTail(perSecond, count - 1) >= rule.poissonTailMax) continue
    const last = lastOfBurst(orders, first, perSecond)
    const members = orders.slice(first, last + 1)
    const burst = describe(capture, members, Math.max(...within.slice(first, last + 1)), perSecond)
    const least = Math.max(rule.notionalUsdMin, rule.depthShareMin * (depthBefore(capture.books, burst) ?? 0))
    if (burst.notionalUsd >= least) bursts.push(burst)
    first = last
  }
  return bursts
}

/** Returns for each order the number of orders, including itself, in the second that begins with it. */
function ordersWithinWindow(orders: readonly AggressorOrder[]): number[] {
  let end = 0
  return orders.map(({ timeMs }, index) => {
    while (end < orders.length && (orders[end]?.timeMs ?? Infinity) < timeMs + windowMs) end += 1
    return end - index
  })
}

/** Returns the index of the last order whose preceding second still has twice the capture's rate. */
function lastOfBurst(orders: readonly AggressorOrder[], first: number, perSecond: number): number {
  let last = first
  let begin = first
  for (let index = first; index < orders.length; index += 1) {
    const timeMs = orders[index]?.timeMs ?? Infinity
    if (timeMs - (orders[last]?.timeMs ?? 0) > calmMs) break
    while ((orders[begin]?.timeMs ?? Infinity) <= timeMs - windowMs) begin += 1
    if (index - begin + 1 >= calmRatio * perSecond) last = index
  }
  return last
}

/** Returns the probability that a Poisson variable is at least `k`, summed from its tail so that small values stay exact. */
export function poissonTail(mean: number, k: number): number {
  if (k <= 0) return 1
  let logFactorial = 0
  for (let n = 2; n <= k; n += 1) logFactorial += Math.log(n)
  let term = Math.exp(k * Math.log(mean) - mean - logFactorial)
  let tail = 0
  for (let n = k; n < k + 1000; n += 1) {
    tail += term
    term *= mean / (n + 1)
    if (n > mean && term < tail * 1e-12) break
  }
  return Math.min(1, tail)
}

function describe(
  { books, endMs: captureEndMs }: Capture,
  orders: readonly AggressorOrder[],
  densest: number,
  perSecond: number,
): Microburst {
  const startMs = orders[0]?.timeMs ?? 0
  const endMs = orders.at(-1)?.timeMs ?? 0
  const sum = (of: (order: AggressorOrder) => number) => orders.reduce((total, order) => total + of(order), 0)
  const signed = sum(({ side, notionalUsd }) => (side === 'buy' ? notionalUsd : -notionalUsd))
  const before = books.findLast(({ timeMs }) => timeMs < startMs) ?? null
  const after = books.find(({ timeMs }) => timeMs >= endMs) ?? null
  const impact = before && after ? after.mid / before.mid - 1 : null
  const reversion = (ms: number) => {
    const later = captureEndMs < endMs + ms ? null : (books.findLast(({ timeMs }) => timeMs <= endMs + ms) ?? null)
    if (!before || !after || !later || impact === null || impact === 0) return null
    return (after.mid - later.mid) / (after.mid - before.mid)
  }
  return {
    startMs,
    durationMs: endMs - startMs,
    orders: orders.length,
    fills: sum(({ fills }) => fills),
    notionalUsd: sum(({ notionalUsd }) => notionalUsd),
    signedNotionalUsd: signed,
    rangeBps:
      (Math.max(...orders.map(({ highPrice }) => highPrice)) / Math.min(...orders.map(({ lowPrice }) => lowPrice)) -
        1) *
      10_000,
    rateRatio: densest / perSecond,
    poissonTail: poissonTail(perSecond, densest - 1),
    impactBps: impact === null ? null : impact * 10_000,
    replenishmentHalfLifeMs: halfLife(books, startMs, endMs, signed),
    reversion10s: reversion(10_000),
    reversion60s: reversion(60_000),
  }
}

const depthBaselineMs = 5000

const depthHit = (book: BookSample, signedNotionalUsd: number) =>
  signedNotionalUsd > 0 ? book.askDepthUsd : book.bidDepthUsd

/** Returns the median depth of the side that a burst hit, over the five seconds before it; null without a book. */
function depthBefore(
  books: readonly BookSample[],
  { startMs, signedNotionalUsd }: Pick<Microburst, 'startMs' | 'signedNotionalUsd'>,
): number | null {
  const earlier = books.filter(({ timeMs }) => timeMs < startMs && timeMs >= startMs - depthBaselineMs)
  return medianOf(earlier.map((book) => depthHit(book, signedNotionalUsd)))
}

/** Returns the time from the end of a burst until half of the depth it removed had returned. */
function halfLife(books: readonly BookSample[], startMs: number, endMs: number, signed: number): number | null {
  const normal = depthBefore(books, { startMs, signedNotionalUsd: signed })
  const since = books.filter(({ timeMs }) => timeMs >= startMs)
  const hit = since.filter(({ timeMs }) => timeMs <= endMs + windowMs).map((book) => depthHit(book, signed))
  const lowest = Math.min(...hit)
  if (normal === null || hit.length === 0 || lowest >= normal) return null
  const back = since.slice(hit.indexOf(lowest)).find((book) => depthHit(book, signed) >= (normal + lowest) / 2)
  return back ? Math.max(0, back.timeMs - endMs) : null
}
