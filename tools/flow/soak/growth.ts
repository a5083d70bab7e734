/** Growth of a series per sample, and the ends of its interval. */
export interface Growth {
  readonly low: number
  readonly slope: number
  readonly high: number
}

/** A figure's name and its values, one for each share of the work done. */
export type Series = Readonly<Record<string, readonly number[]>>

/** Chance that a run without any growth is judged to grow, over all of its series. */
const ERROR_RATE = 0.05

/** Returns the value that a normal variable stays below with probability `p`, by bisection. */
function normalQuantile(p: number): number {
  // Abramowitz and Stegun 26.2.17, accurate to 7.5e-8.
  const below = (x: number): number => {
    const t = 1 / (1 + 0.2316419 * Math.abs(x))
    const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * series
    return x >= 0 ? 1 - tail : tail
  }
  let [low, high] = [-8, 8]
  while (high - low > 1e-6) {
    const middle = (low + high) / 2
    if (below(middle) < p) low = middle
    else high = middle
  }
  return low
}

/**
 * Returns the growth by Theil and Sen with its interval of `confidence`: the median of the slopes between all pairs of
 * samples, which single outliers do not bend.
 */
export function growthOf(values: readonly number[], confidence: number): Growth {
  const slopes = values
    .flatMap((value, at) => values.slice(at + 1).map((later, after) => (later - value) / (after + 1)))
    .toSorted((a, b) => a - b)
  const n = values.length
  const z = normalQuantile(1 - (1 - confidence) / 2)
  const half = z * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18)
  // Too few samples prove nothing: then the interval has no ends.
  const nth = (place: number) => slopes[Math.round(place)] ?? Math.sign(place) * Infinity
  return {
    low: nth((slopes.length - half) / 2),
    slope: nth((slopes.length - 1) / 2),
    high: nth((slopes.length + half) / 2),
  }
}

const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/**
 * Returns a line for each series, and the names of those that grow. A series grows when its interval lies above zero and it
 * rises by more than its share of `settling`, of its median, over the whole run; a fall is not growth, as it may be the end
 * of earlier use. The intervals hold together at 95 %: by Bonferroni each of n series has one of 1 - 0.05 / n. A series of
 * too few samples for its interval is undecided: it needs more of them.
 */
export function judgeGrowth(
  series: Series,
  settling: Readonly<Record<string, number>> = {},
): { readonly growing: readonly string[]; readonly undecided: readonly string[]; readonly report: string } {
  const confidence = 1 - ERROR_RATE / Object.keys(series).length
  const judged = Object.entries(series).map(([name, values]) => ({ name, values, ...growthOf(values, confidence) }))
  const rises = ({ name, values, slope }: (typeof judged)[number]) =>
    slope * values.length > (settling[name] ?? 0) * medianOf(values)
  return {
    growing: judged.filter((one) => one.low > 0 && rises(one)).map(({ name }) => name),
    undecided: judged.filter(({ low }) => low === -Infinity).map(({ name }) => name),
    report: judged
      .map(({ name, values, low, slope, high }) => {
        const interval = `[${low.toFixed(3)}, ${high.toFixed(3)}]`
        return `${name}: ${slope.toFixed(3)} a sample ${interval} in ${values.map((value) => value.toFixed(1)).join(' ')}`
      })
      .join('\n'),
  }
}
