/** Version of the rating; another one makes every process ask for all facts and rate them again. */
export const RATING_METHOD = '2'

/** What a mandate must have at work so that its result is rated: 25 USDC, in base units. */
export const RATED_MIN = 25_000_000n

/** Worth of a mandate at a moment, with what its owner paid in and took out until then, in USDC base units. */
export interface Point {
  readonly worth: bigint
  readonly paidIn: bigint
  readonly paidOut: bigint
}

/** What happened on a UTC day of a mandate, with its points, oldest first. */
export interface FactDay {
  readonly day: string
  readonly points: readonly Point[]
  readonly foreignFills: number
}

/** Rating of a day: what was at work, and the result on the most that was. */
export interface RatedDay {
  readonly day: string
  /** Rated worth at the beginning of the day, base units. */
  readonly start: bigint
  /** The most that was rated during the day, with what came in; 0 if nothing was rated. */
  readonly peak: bigint
  /** Result of the day × peak, so that gain ÷ peak is the time-weighted result. */
  readonly gain: bigint
  /** The last point; null without one. */
  readonly closing: Point | null
}

/** Before the first point a mandate has nothing. */
const NOTHING: Point = { worth: 0n, paidIn: 0n, paidOut: 0n }

interface Interval {
  readonly base: bigint
  readonly profit: bigint
  /** Rated worth at its beginning; 0 for money that only came in. */
  readonly start: bigint
  readonly peak: bigint
}

const positive = (value: bigint): bigint => (value > 0n ? value : 0n)

/**
 * Rates what happened between two successive points. The base of a gain includes what came in, that of a loss does not,
 * since it is unknown when between the points the money came: so no deposit multiplies a gain or dilutes a loss. Whether
 * the interval is rated follows from its beginning alone, so nobody chooses it by its result. Returns null for an
 * interval that is not rated.
 */
export function rateInterval(from: Point, to: Point): Interval | null {
  const inflow = positive(to.paidIn - from.paidIn)
  const outflow = positive(to.paidOut - from.paidOut)
  const profit = to.worth + outflow - from.worth - inflow
  const most = from.worth + inflow
  const atWork = from.worth >= RATED_MIN || (from.worth > 0n && from.paidIn - from.paidOut >= RATED_MIN)
  if (atWork) return { base: profit < 0n ? from.worth : most, profit, start: from.worth, peak: most }
  if (most < RATED_MIN) return null
  // What was there before was too little to be rated; a loss of what came in counts, a gain only of a mandate that began.
  if (profit > 0n && from.worth > 0n) return null
  return { base: most, profit, start: 0n, peak: most }
}

/**
 * Rates the days of a mandate in their order. `before` is the last point before them; null if there is none. A day with
 * fills that are not of the mandate counts at most 0.
 */
export function rateDays(before: Point | null, days: readonly FactDay[]): readonly RatedDay[] {
  let last = before ?? NOTHING
  return days.map(({ day, points, foreignFills }) => {
    let factor = 1
    let start: bigint | null = null
    let peak = 0n
    for (const point of points) {
      const interval = rateInterval(last, point)
      start ??= interval?.start ?? 0n
      if (interval !== null) {
        factor *= Math.max(0, 1 + Number(interval.profit) / Number(interval.base))
        if (interval.peak > peak) peak = interval.peak
      }
      last = point
    }
    const result = foreignFills > 0 ? Math.min(factor, 1) : factor
    return {
      day,
      start: start ?? 0n,
      peak,
      gain: BigInt(Math.round(Number(peak) * (result - 1))),
      closing: points.length === 0 ? null : last,
    }
  })
}
