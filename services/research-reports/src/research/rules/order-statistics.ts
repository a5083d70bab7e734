/** Fewest values with a distribution-free 95 % interval of their median; of fewer, even the whole range covers less than 95 %. */
export const INTERVAL_VALUES_MIN = 6

/** A median with its 95 % interval. */
export interface MedianInterval {
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
  readonly n: number
}

const rankCache = new Map<number, number | null>()

/**
 * Returns the rank k (from 1) such that the k-th least and the k-th greatest of `n` independent values enclose the median
 * of their distribution with at least 95 %: the greatest k with P(Binomial(n, ½) < k) ≤ 2.5 %. Null below 6 values.
 */
export function medianIntervalRank(n: number): number | null {
  if (n < INTERVAL_VALUES_MIN) return null
  const known = rankCache.get(n)
  if (known !== undefined) return known
  // In logarithms: ½ to the power of the longest history is below the range of normal doubles.
  let logTerm = n * Math.log(0.5)
  let below = Math.exp(logTerm)
  let k = 0
  while (below <= 0.025) {
    k += 1
    logTerm += Math.log((n - k + 1) / k)
    below += Math.exp(logTerm)
  }
  rankCache.set(n, k)
  return k
}

/** Returns the median (mean of the middle two) and its interval; ignores nulls. O(n log n). */
export function medianInterval(values: readonly (number | null)[]): MedianInterval {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b)
  const n = sorted.length
  const middle = sorted[n >> 1]
  if (middle === undefined) return { value: null, low: null, high: null, n: 0 }
  const lowerMiddle = sorted[(n - 1) >> 1] ?? middle
  const rank = medianIntervalRank(n)
  return {
    value: (middle + lowerMiddle) / 2,
    low: rank === null ? null : (sorted[rank - 1] ?? null),
    high: rank === null ? null : (sorted[n - rank] ?? null),
    n,
  }
}

/** Returns the share of values below, plus half of the equal ones, in percent; null without values. O(n). */
export function midRank(value: number, among: readonly number[]): number | null {
  if (among.length === 0) return null
  let below = 0
  for (const other of among) below += other < value ? 1 : other === value ? 0.5 : 0
  return (below / among.length) * 100
}
