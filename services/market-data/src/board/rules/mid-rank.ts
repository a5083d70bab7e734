/**
 * Returns mid-rank percentiles in (0, 1): the share of known values below, plus half of the equal values (including the
 * value itself). Ties share a rank, and the mean over all known values is exactly one half. Null stays null and is not
 * counted. O(n log n).
 */
export function midRankPercentiles(values: readonly (number | null)[]): (number | null)[] {
  const known: { value: number; index: number }[] = []
  for (const [index, value] of values.entries()) {
    if (value !== null && !Number.isNaN(value)) known.push({ value, index })
  }
  known.sort((a, b) => a.value - b.value)
  const percentiles = Array.from<number | null>({ length: values.length }).fill(null)
  for (let start = 0; start < known.length;) {
    let end = start
    while (end < known.length && known[end]?.value === known[start]?.value) end += 1
    const percentile = (start + end) / 2 / known.length
    for (const { index } of known.slice(start, end)) percentiles[index] = percentile
    start = end
  }
  return percentiles
}
