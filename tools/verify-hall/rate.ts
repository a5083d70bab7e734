/** Amounts in USDC; a verifier with the integers of the writer would share its faults. */
export interface Point {
  readonly day: string
  readonly worth: number
  readonly paidIn: number
  readonly paidOut: number
}

/** A rated day of one mandate: what it had at work at its beginning and at most, and its result as a fraction. */
export interface RatedDay {
  readonly day: string
  readonly start: number
  readonly peak: number
  readonly result: number
}

/** Least money at work of which a result is rated, in USDC. */
const RATED_MIN = 25

/**
 * Rates the days of a mandate from its points, oldest first, as docs/method/hall.md says. Between two successive points
 * profit = worth after + taken out − worth before − paid in. Its base is the worth before, for a gain with what was paid in.
 */
export function rateDays(points: readonly Point[]): readonly RatedDay[] {
  const days = new Map<string, { start: number | null; peak: number; factor: number }>()
  let before: Omit<Point, 'day'> = { worth: 0, paidIn: 0, paidOut: 0 }
  for (const point of points) {
    const day = days.get(point.day) ?? { start: null, peak: 0, factor: 1 }
    days.set(point.day, day)
    const paidIn = Math.max(0, point.paidIn - before.paidIn)
    const takenOut = Math.max(0, point.paidOut - before.paidOut)
    const profit = point.worth + takenOut - before.worth - paidIn
    const isAtWork = before.worth >= RATED_MIN || (before.worth > 0 && before.paidIn - before.paidOut >= RATED_MIN)
    const most = before.worth + paidIn
    // Too little before: what came in is rated if it is enough, a gain only if nothing was there before.
    const isRated = isAtWork || (most >= RATED_MIN && !(profit > 0 && before.worth > 0))
    day.start ??= isRated && isAtWork ? before.worth : 0
    if (isRated) {
      const base = isAtWork && profit < 0 ? before.worth : most
      day.factor *= Math.max(0, 1 + profit / base)
      day.peak = Math.max(day.peak, most)
    }
    before = point
  }
  return [...days].flatMap(([day, { start, peak, factor }]) =>
    peak > 0 ? [{ day, start: start ?? 0, peak, result: factor - 1 }] : [],
  )
}

/**
 * Returns the result of an agent on each day: the mean of its mandates, weighted by what each had at work. What came in during
 * the day may count or not, and the lowest mean is taken.
 */
export function agentResults(mandates: readonly (readonly RatedDay[])[]): readonly { day: string; result: number }[] {
  const byDay = Map.groupBy(mandates.flat(), ({ day }) => day)
  return [...byDay]
    .map(([day, rated]) => ({ day, result: lowestMean(rated) }))
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
}

/** A mean of fractions is lowest where each weight is at one of its ends: all of the worst, and no more of the best. */
function lowestMean(rated: readonly RatedDay[]): number {
  const ordered = rated.toSorted((one, other) => one.result - other.result)
  const means = [...ordered.keys(), ordered.length].flatMap((worst) => {
    const weights = ordered.map(({ start, peak }, at) => (at < worst ? peak : start))
    const sum = weights.reduce((total, weight) => total + weight, 0)
    const weighted = ordered.reduce((total, { result }, at) => total + result * (weights[at] ?? 0), 0)
    return sum > 0 ? [weighted / sum] : []
  })
  return Math.min(...means)
}

/** What follows from the results of days: a change and a drawdown in basis points, and an index, 100 before the first day. */
export interface Figures {
  readonly change: number | null
  readonly drawdown: number | null
  readonly index: ReadonlyMap<string, number>
}

/** Chains results. */
export function figuresOf(results: readonly { readonly day: string; readonly result: number }[]): Figures {
  const index = new Map<string, number>()
  let value = 1
  let top = 1
  let drawdown = 0
  for (const { day, result } of results) {
    value *= 1 + result
    top = Math.max(top, value)
    drawdown = Math.max(drawdown, top > 0 ? 1 - value / top : 0)
    index.set(day, 100 * value)
  }
  const bps = (fraction: number) => (results.length === 0 ? null : Math.round(fraction * 10_000))
  return { change: bps(value - 1), drawdown: bps(drawdown), index }
}
