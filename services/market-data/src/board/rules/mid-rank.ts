/**
 * Returns mid-rank percentiles in (0, 1): the share of known values below, plus half of the equal values (including the
 * value itself). Ties share a rank, and the mean over all known values is exactly one half. Null stays null and is not
 * counted. O(n log n).
 */
export function midRankPercentiles(values: readonly (number | null)[]): (number | null)[] {
  const isKnown = (value: number | null): value is number => value !== null && !Number.isNaN(value)
  // Numbers in a typed array are sorted without a call of a function for each comparison.
  const sorted = Float64Array.from(values.filter(isKnown)).sort()
  return values.map((value) => {
    if (!isKnown(value)) return null
    const start = placeOf(sorted, value, false)
    const end = sorted[start + 1] === value ? placeOf(sorted, value, true) : start + 1
    return (start + end) / 2 / sorted.length
  })
}

/** Returns the first place in a sorted column whose value is at least `value`, or above it if `beyond`; else its length. */
function placeOf(sorted: Float64Array, value: number, beyond: boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const found = sorted[middle] ?? Infinity
    if (found > value || (found === value && !beyond)) high = middle
    else low = middle + 1
  }
  return low
}
